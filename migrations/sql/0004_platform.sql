-- What the gateway keeps beside identity: bank accounts, payment options, files, the answers to keyed
-- requests, how far followers have read the log, and the record of who did what.

set role cairn_owner;

create table platform.file (
  -- A hash of the owner and the received bytes, so that a repeated upload finds itself.
  id text collate "C" not null primary key check (id ~ '^[0-9a-f]{64}$'),
  owner_id text collate "C" not null,
  purpose text collate "C" not null check (purpose in ('receipt', 'payment-option')),
  media_type text collate "C" not null check (media_type in ('image/jpeg', 'image/png')),
  bytes bytea not null check (octet_length(bytes) between 1 and 8388608),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null
);
create index file_by_owner on platform.file (owner_id, created_at);

create table platform.bank_account (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  account_type text not null check (
    account_type in ('savings Account', 'Current Account', 'Fix Deposit Account', 'Others')
  ),
  created_at timestamptz not null,
  archived_at timestamptz
);
create index bank_account_by_user on platform.bank_account (user_id, created_at);

create table platform.payment_option (
  id text collate "C" not null primary key,
  pay_option text not null check (pay_option in ('Bank Transfer', 'Mobile Wallet', 'Crypto Wallet')),
  bank text not null,
  account_number text not null,
  image_id text collate "C" references platform.file (id),
  extra text,
  is_visible boolean not null,
  created_at timestamptz not null,
  archived_at timestamptz
);

-- One row per keyed request: the id it works on, and its answer once there is one.
create table platform.keyed_request (
  user_id text collate "C" not null,
  key text collate "C" not null check (length(key) between 1 and 255),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  subject_id text collate "C" not null,
  status int,
  body text,
  created_at timestamptz not null,
  primary key (user_id, key),
  constraint keyed_request_answer_check check ((status is null) = (body is null))
);

create table platform.cursor (
  name text collate "C" not null primary key,
  seq bigint not null check (seq >= -1),
  updated_at timestamptz not null
);

-- A mail that has left is not sent again, however often its job runs.
create table platform.mail_delivery (
  message_id text collate "C" not null primary key,
  kind text collate "C" not null,
  sent_at timestamptz not null
);

create table platform.audit (
  id text collate "C" not null primary key,
  recorded_at timestamptz not null,
  -- Null: nobody was signed in.
  actor_id text collate "C",
  action text collate "C" not null,
  subject text collate "C",
  ip text not null,
  request_id text collate "C" not null,
  details jsonb not null
);
create index audit_by_recorded_at on platform.audit (recorded_at desc, id desc);

create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'platform.audit is append-only' using errcode = 'restrict_violation';
end
$$;
create trigger audit_append_only before update or delete on platform.audit
  for each row execute function platform.refuse_change();
create trigger audit_no_truncate before truncate on platform.audit
  for each statement execute function platform.refuse_change();
alter table platform.audit enable always trigger audit_append_only;
alter table platform.audit enable always trigger audit_no_truncate;
revoke update, delete on platform.audit from cairn_gateway;

grant select, insert, update on platform.cursor to cairn_gateway_worker;
grant select, insert on platform.mail_delivery to cairn_gateway_worker;

reset role;
