-- The tables of the gateway about its users: accounts, sessions, codes and links, and the mails
-- that contain codes or links. This schema is created after platform, because the default of
-- user.ledger_id is read from platform.site.

set role cairn_owner;

create schema identity;
grant usage on schema identity to cairn_gateway, cairn_gateway_worker, cairn_backup;
-- The worker has only the rights that are granted to it in this file.
alter default privileges in schema identity
  grant select, insert, update, delete on tables to cairn_gateway;
alter default privileges in schema identity grant select on tables to cairn_backup;

create extension if not exists pg_trgm with schema identity;

-- Users

create table identity.user (
  id text collate "C" not null primary key,
  ledger_id int not null default platform.site_ledger(),
  role text collate "C" not null check (role in ('user', 'admin')),
  status text collate "C" not null check (status in ('pending', 'active', 'deactivated', 'denied')),
  -- The referral id. It is random, so that it reveals nothing about the user.
  account_id text collate "C" not null check (account_id ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  referrer_id text collate "C" references identity.user (id) check (referrer_id <> id),

  -- The address is in lower case, so that it can belong to only one user.
  email text collate "C" not null check (email = lower(email) and length(email) <= 254),
  email_verified_at timestamptz,
  -- The new address of a user, until it is verified.
  pending_email text collate "C"
    check (pending_email = lower(pending_email) and length(pending_email) <= 254),
  -- The time of the request to activate this investor. Null after the ledger has recorded the
  -- activation.
  activation_wanted_at timestamptz,

  name text not null check (length(name) between 1 and 120),
  -- The new name of an approved user, until an administrator has reviewed it.
  pending_name text check (length(pending_name) between 1 and 120),
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
  photo_id text collate "C",

  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  -- The last reminder that the password expires: the number of days before the expiry for which it
  -- was sent.
  password_reminder smallint check (password_reminder in (14, 3)),
  -- True if the password is refused until the user sets a new password through a mailed link.
  is_reset_required boolean not null default false,
  -- The time since which the account has had a second factor: an app, a passkey or both.
  mfa_enabled_at timestamptz,
  -- Withdrawals are refused until this time, because an intruder may have changed the credentials.
  credential_hold_until timestamptz,
  last_login_at timestamptz,

  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The time at which the account was closed. The personal data in the row is then deleted. The row
  -- itself is kept, because the ledger refers to it.
  deleted_at timestamptz,
  constraint user_email_key unique (email),
  constraint user_account_id_key unique (account_id),
  constraint user_activation_check check (activation_wanted_at is null or email_verified_at is not null)
);
create index user_by_created_at on identity.user (created_at desc, id desc);
create index user_by_status on identity.user (role, status);
create index user_by_referrer on identity.user (referrer_id, id) where referrer_id is not null;
create index user_by_activation_wanted on identity.user (activation_wanted_at)
  where activation_wanted_at is not null;
create index user_by_password_changed_at on identity.user (password_changed_at)
  where deleted_at is null;
-- This index serves the search of administrators, which finds any part of a name or an address.
create index user_by_name_part on identity.user using gin (name identity.gin_trgm_ops);
create index user_by_email_part on identity.user using gin (email identity.gin_trgm_ops);
grant select (
  id, name, email, role, status, account_id, referrer_id, photo_id, email_verified_at,
  activation_wanted_at, password_changed_at, password_reminder, mfa_enabled_at, created_at, deleted_at
) on identity.user to cairn_gateway_worker;
grant update (status, activation_wanted_at, password_reminder, updated_at)
  on identity.user to cairn_gateway_worker;

-- Free texts about a person, such as the reason of a decision. Events and rows of the audit log are
-- never changed, so they contain the reference instead of the text.
create table identity.private_text (
  reference text collate "C" not null primary key check (reference ~ '^private-text:[0-9a-f]{64}$'),
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  -- AES-256-GCM, with the key of the person (person_keys.key).
  sealed bytea not null,
  created_at timestamptz not null
);
create index private_text_by_user on identity.private_text (user_id);
revoke update on identity.private_text from cairn_gateway;
grant select on identity.private_text to cairn_gateway_worker;

-- The roles of administrators. `user.role` says only that the user is an administrator.
create table identity.admin_role (
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  role text collate "C" not null
    check (role in ('owner', 'finance', 'support', 'compliance', 'auditor')),
  granted_at timestamptz not null,
  -- Null if the command line on the server granted the role.
  granted_by text collate "C" references identity.user (id),
  -- The time at which the role expires.
  ends_at timestamptz,
  primary key (user_id, role),
  constraint admin_role_end_check check (ends_at is null or role = 'auditor')
);
grant select (user_id, role, granted_at, ends_at) on identity.admin_role to cairn_gateway_worker;

-- Logins and sessions

-- The failed logins for each address. The table also counts addresses without an account, so that
-- login delays do not reveal which addresses have an account.
create table identity.login_attempt (
  email_hash bytea not null primary key check (octet_length(email_hash) = 32),
  failures int not null check (failures > 0),
  next_at timestamptz not null,
  updated_at timestamptz not null
);
create index login_attempt_by_updated_at on identity.login_attempt (updated_at);
grant select (email_hash, next_at, updated_at), delete
  on identity.login_attempt to cairn_gateway_worker;

-- Logins with a correct password that still need the second factor.
create table identity.login_challenge (
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  is_remembered boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenge_by_user on identity.login_challenge (user_id);

create table identity.session (
  -- SHA-256 of the cookie. A copy of this table therefore cannot be used to open a session.
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  is_remembered boolean not null default false,
  -- The time at which a second factor of any kind was last verified in this session.
  mfa_at timestamptz,
  -- The time at which a passkey was last verified in this session.
  passkey_at timestamptz,
  idle_seconds int not null check (idle_seconds > 0),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip text not null,
  user_agent text not null
);
create index session_by_user on identity.session (user_id);
create index session_by_expires_at on identity.session (expires_at);

-- Codes and links sent by mail

-- Codes that verify the address of a new user.
create table identity.email_code (
  id text collate "C" not null primary key,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  -- SHA-256 of a cookie of the browser that requested the code. The code cannot be used in a
  -- browser without this cookie.
  pending_hash bytea not null check (octet_length(pending_hash) = 32),
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The time at which the code was used or replaced by a newer code.
  closed_at timestamptz
);
create index email_code_by_pending on identity.email_code (pending_hash, created_at desc);
create index email_code_by_user on identity.email_code (user_id, created_at desc);
-- A user has at most one open code, even if two codes are requested at the same time.
create unique index email_code_open_key on identity.email_code (user_id) where closed_at is null;

-- Codes that verify the new address of an existing user.
create table identity.email_change (
  user_id text collate "C" not null primary key references identity.user (id) on delete cascade,
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Links with which a user sets a password: after forgetting it, or as a new administrator.
create table identity.link_token (
  token_hash bytea not null primary key check (octet_length(token_hash) = 32),
  purpose text collate "C" not null check (purpose in ('reset', 'setup')),
  -- Null if the link creates the first administrator, who enters the address.
  user_id text collate "C" references identity.user (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint link_token_user_check check (user_id is not null or purpose = 'setup')
);
create index link_token_by_user on identity.link_token (user_id);

-- Mails with codes or links, by address. Their number is limited, so that no one can flood a
-- mailbox through the site.
create table identity.code_mail (
  address_hash bytea not null check (octet_length(address_hash) = 32),
  sent_at timestamptz not null
);
create index code_mail_by_address on identity.code_mail (address_hash, sent_at);
create index code_mail_by_sent_at on identity.code_mail (sent_at);

-- Mails that a change in this schema causes. A mail is written in the same transaction as its
-- change, so that no mail is lost.
create table identity.outbox (
  id text collate "C" not null primary key,
  kind text collate "C" not null,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  -- Encrypted, because the mail contains a code. Null after the mail was sent.
  sealed bytea,
  -- The id of the request that caused the mail. The logs of gateway, ledger and worker contain the
  -- same id.
  request_id text,
  -- The span of that request as a W3C traceparent. Null without traces.
  traceparent text collate "C",
  created_at timestamptz not null,
  handed_over_at timestamptz,
  sent_at timestamptz
);
create index outbox_waiting on identity.outbox (created_at) where handed_over_at is null;
-- A metric reports the age of the oldest mail that was not sent.
create index outbox_unsent on identity.outbox (created_at) where sent_at is null and sealed is not null;
grant select, insert on identity.outbox to cairn_gateway_worker;
grant update (sealed, handed_over_at, sent_at) on identity.outbox to cairn_gateway_worker;

reset role;
