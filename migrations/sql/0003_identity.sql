-- Who people are to the gateway: users, their sessions, the codes that prove a mailbox, and the mails
-- that must leave when one of these rows is written. Nothing here is money.

set role cairn_owner;

create table identity.user (
  id text collate "C" not null primary key,
  -- Lower case; one person, one row.
  email text collate "C" not null check (email = lower(email) and length(email) <= 254),
  name text not null check (length(name) between 1 and 120),
  phone text not null,
  country text collate "C" not null check (country ~ '^[A-Z]{2}$'),
  first_address text not null,
  second_address text,
  town_city text,
  gender text check (gender in ('Male', 'Female')),
  reason text,
  employment_status text,
  tax_residence text,
  tax_number text,
  role text collate "C" not null check (role in ('user', 'admin')),
  status text collate "C" not null check (status in ('pending', 'active', 'deactivated', 'denied')),
  -- The referral id: random, so that it says nothing about the person.
  account_id text collate "C" not null check (account_id ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  referrer_id text collate "C" references identity.user (id) check (referrer_id <> id),
  password_hash text not null,
  email_verified_at timestamptz,
  -- Set while the ledger has still to be told that this investor is active.
  activation_wanted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint user_email_key unique (email),
  constraint user_account_id_key unique (account_id),
  constraint user_activation_check check (activation_wanted_at is null or email_verified_at is not null)
);
create index user_by_created_at on identity.user (created_at desc, id desc);
create index user_by_status on identity.user (role, status);
create index user_by_referrer on identity.user (referrer_id) where referrer_id is not null;
create index user_by_activation_wanted on identity.user (activation_wanted_at)
  where activation_wanted_at is not null;

create table identity.session (
  -- SHA-256 of the cookie: a copy of this table opens nothing.
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  idle_seconds int not null check (idle_seconds > 0),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip text not null,
  user_agent text not null
);
create index session_by_user on identity.session (user_id);
create index session_by_expires_at on identity.session (expires_at);

-- Failed logins by address, known to us or not, so that a delay says nothing about who is registered.
create table identity.login_attempt (
  email_hash bytea not null primary key check (octet_length(email_hash) = 32),
  failures int not null check (failures > 0),
  next_at timestamptz not null,
  updated_at timestamptz not null
);

create table identity.email_code (
  id text collate "C" not null primary key,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  -- SHA-256 of the pending cookie: the code works only in the browser that asked for it.
  pending_hash bytea not null check (octet_length(pending_hash) = 32),
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Used, or replaced by a newer one.
  closed_at timestamptz
);
create index email_code_by_pending on identity.email_code (pending_hash, created_at desc);
create index email_code_by_user on identity.email_code (user_id, created_at desc);
-- A newer code replaces the older one, also when two are asked for at once.
create unique index email_code_open_key on identity.email_code (user_id) where closed_at is null;

-- Mails that follow from a row of this schema, written in the same transaction as the row.
create table identity.outbox (
  id text collate "C" not null primary key,
  kind text collate "C" not null,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  -- Sealed, because a code is in it; emptied when the mail has left.
  sealed bytea,
  created_at timestamptz not null,
  handed_over_at timestamptz,
  sent_at timestamptz
);
create index outbox_waiting on identity.outbox (created_at) where handed_over_at is null;

grant select (id, name, email, role, status, referrer_id, email_verified_at, activation_wanted_at)
  on identity.user to cairn_gateway_worker;
grant update (status, activation_wanted_at, updated_at) on identity.user to cairn_gateway_worker;
grant select on identity.outbox to cairn_gateway_worker;
grant update (sealed, handed_over_at, sent_at) on identity.outbox to cairn_gateway_worker;

reset role;
