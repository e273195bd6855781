-- The site's settings, and what protects an account beyond its password: a second factor, links that
-- set a password, addresses that wait for their proof. The money rules are not here but in the ledger.

set role cairn_owner;

create table platform.setting (
  id text collate "C" not null primary key check (id = 'site'),
  -- Counts the saves: who saves over a version he has not seen is told.
  version int not null check (version >= 0),
  -- What differs from the defaults is not told apart: the whole of it, as it was saved.
  content jsonb not null,
  updated_at timestamptz not null,
  updated_by text collate "C"
);
grant select on platform.setting to cairn_gateway_worker;

alter table identity.user
  add column password_changed_at timestamptz not null default now(),
  -- The nearest number of days before its end of which a password's owner has been told.
  add column password_reminder smallint check (password_reminder in (14, 3)),
  -- The password is not believed any more; only a link to the mailbox sets a new one.
  add column is_reset_required boolean not null default false,
  add column mfa_enabled_at timestamptz,
  -- Until then nothing is paid out, because who changed the credentials may not be the owner.
  add column credential_hold_until timestamptz,
  add column pending_email text collate "C"
    check (pending_email = lower(pending_email) and length(pending_email) <= 254),
  add column last_login_at timestamptz,
  -- The person is gone, the row stays for the books: without anything personal in it.
  add column deleted_at timestamptz;
create index user_by_password_changed_at on identity.user (password_changed_at)
  where deleted_at is null;

alter table identity.session
  add column is_remembered boolean not null default false,
  -- When the second factor was proved in this session.
  add column mfa_at timestamptz;

-- A right password that still waits for its second factor.
create table identity.login_challenge (
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  is_remembered boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenge_by_user on identity.login_challenge (user_id);

create table identity.totp (
  user_id text collate "C" not null primary key references identity.user (id) on delete cascade,
  -- AES-256-GCM; the key is not in the database.
  sealed bytea not null,
  -- The newest step that a code was taken for: each code is good once.
  last_step bigint not null default 0,
  tries int not null default 0 check (tries between 0 and 5),
  tries_since timestamptz not null,
  created_at timestamptz not null
);

create table identity.recovery_code (
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  used_at timestamptz,
  primary key (user_id, code_hmac)
);

-- Links that set a password: one that was forgotten, or the first one of an administrator.
create table identity.link_token (
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  purpose text collate "C" not null check (purpose in ('reset', 'setup')),
  -- Null: whoever follows it names the account, which is then the first administrator's.
  user_id text collate "C" references identity.user (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint link_token_user_check check (user_id is not null or purpose = 'setup')
);
create index link_token_by_user on identity.link_token (user_id);

create table identity.email_change (
  user_id text collate "C" not null primary key references identity.user (id) on delete cascade,
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Mails with codes and links that left for an address, known to us or not, so that nobody's mailbox
-- is flooded through us.
create table identity.code_mail (
  address_hash bytea not null check (octet_length(address_hash) = 32),
  sent_at timestamptz not null
);
create index code_mail_by_address on identity.code_mail (address_hash, sent_at);
create index code_mail_by_sent_at on identity.code_mail (sent_at);

grant select (password_changed_at, password_reminder, mfa_enabled_at, deleted_at)
  on identity.user to cairn_gateway_worker;
grant update (password_reminder) on identity.user to cairn_gateway_worker;
grant insert on identity.outbox to cairn_gateway_worker;

reset role;
