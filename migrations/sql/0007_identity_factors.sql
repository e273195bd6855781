-- Second factors, passkeys, and the withdrawal holds that follow a change of credentials.

set role cairn_owner;

-- Second factors

create table identity.totp (
  user_id text collate "C" not null primary key references identity.user (id) on delete cascade,
  -- Encrypted with AES-256-GCM. The key is not in the database.
  sealed bytea not null,
  -- The time step of the last accepted code, so that no code can be used twice.
  last_step bigint not null default 0,
  created_at timestamptz not null,
  -- The time at which the user entered the first correct code. Until then, the secret does not
  -- count as a second factor.
  enabled_at timestamptz
);

-- The attempts to enter a code. Codes of the app and recovery codes have separate limits.
create table identity.mfa_tries (
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  method text collate "C" not null check (method in ('totp', 'recovery')),
  tries int not null check (tries between 0 and 5),
  tries_since timestamptz not null,
  -- The UTC day of `day_failures`. If the limit is reached, the method is blocked until the next
  -- day.
  day date not null,
  day_failures int not null check (day_failures between 0 and 10),
  primary key (user_id, method)
);

create table identity.recovery_code (
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Passkeys

-- The user handle that authenticators store with a passkey. It is random, so that it does not
-- reveal the user's id.
create table identity.passkey_handle (
  user_id text collate "C" not null primary key references identity.user (id) on delete cascade,
  handle bytea not null check (octet_length(handle) = 32),
  constraint passkey_handle_key unique (handle)
);

create table identity.passkey (
  id text collate "C" not null primary key,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  -- The key is in COSE format.
  public_key bytea not null,
  -- The signature counter of the authenticator, which must never decrease.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 60),
  -- True if the authenticator copies the passkey to several devices of the user.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkey_credential_id_key unique (credential_id)
);
create index passkey_by_user on identity.passkey (user_id, created_at);

-- Challenges that a passkey must sign. Each challenge can be used once and only in one browser. The
-- hash of the session or, before a login, of a cookie identifies the browser.
create table identity.passkey_challenge (
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text collate "C" not null check (purpose in ('enrol', 'login', 'step-up')),
  challenge text collate "C" not null,
  expires_at timestamptz not null,
  primary key (browser_hash, purpose)
);
create index passkey_challenge_by_expires_at on identity.passkey_challenge (expires_at);

-- Changes of credentials after which the pending withdrawals of the user must be put on hold. The
-- row is written with the change; the commands to the ledger are repeated until they succeed.
create table identity.hold_request (
  id text collate "C" not null primary key,
  user_id text collate "C" not null references identity.user (id) on delete cascade,
  created_at timestamptz not null,
  done_at timestamptz
);
create index hold_request_open on identity.hold_request (user_id, created_at) where done_at is null;
grant select on identity.hold_request to cairn_gateway_worker;
grant update (done_at) on identity.hold_request to cairn_gateway_worker;

reset role;
