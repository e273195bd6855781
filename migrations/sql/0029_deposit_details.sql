-- What people quote in a transfer before they send its receipt, where a payment can be looked at, which
-- hash a payment in a coin has, and which bank account is the usual one.

set role cairn_owner;

-- Given out before the deposit is asked for: the id that the deposit will have, bound to who pays and to
-- what. Shown again until it is used, as a transfer may take days.
create table platform.deposit_reference (
  transaction_id text collate "C" not null primary key,
  reference text collate "C" not null unique,
  user_id text collate "C" not null,
  payment_option_id text collate "C" not null references platform.payment_option (id),
  issued_at timestamptz not null,
  used_at timestamptz
);
create unique index deposit_reference_open on platform.deposit_reference (user_id, payment_option_id)
where used_at is null;

-- The deposit may never have come about: what is said of it stands before it is asked for.
create table platform.deposit_hash (
  transaction_id text collate "C" not null primary key,
  user_id text collate "C" not null,
  hash text collate "C" not null check (length(hash) between 1 and 128),
  created_at timestamptz not null
);
create index deposit_hash_by_hash on platform.deposit_hash (hash);

alter table platform.payment_option
  add column explorer_url text check (explorer_url like 'https://%{hash}%' and length(explorer_url) <= 300);

alter table platform.bank_account add column is_default boolean not null default false;
create unique index bank_account_default on platform.bank_account (user_id)
where is_default and archived_at is null;

grant select, insert, update, delete on platform.deposit_reference, platform.deposit_hash to cairn_gateway;

reset role;
