-- The tables of the gateway about the site, files, requests, mails and notifications.

set role cairn_owner;

create schema platform;
grant usage on schema platform to cairn_gateway, cairn_gateway_worker, cairn_backup;
-- The gateway has all rights on a new table, unless a statement below revokes some of them. The
-- worker has only rights that a statement grants to it.
alter default privileges in schema platform
  grant select, insert, update, delete on tables to cairn_gateway;
alter default privileges in schema platform grant select on tables to cairn_backup;

-- The site

-- The ledger of this site, which cannot be changed after the site has users.
create table platform.site (
  id text collate "C" not null primary key check (id = 'site'),
  ledger_id int not null check (ledger_id > 0)
);
revoke update, delete on platform.site from cairn_gateway;
grant select on platform.site to cairn_gateway_worker;

create function platform.site_ledger() returns int language sql stable
  as 'select coalesce((select ledger_id from platform.site), 1)';
grant execute on function platform.site_ledger() to cairn_gateway;

-- The settings of the site, except the money rules, which are in the ledger.
create table platform.setting (
  id text collate "C" not null primary key check (id = 'site'),
  -- The number of saves. A save that is based on an older version is refused.
  version int not null check (version >= 0),
  -- The current value of each setting that was saved at least once. A missing setting has its
  -- default.
  content jsonb not null,
  updated_at timestamptz not null,
  updated_by text collate "C"
);
grant select on platform.setting to cairn_gateway_worker;

-- Files

create table platform.file (
  -- A hash of the owner and the received bytes, so that a repeated upload finds the existing row.
  id text collate "C" not null primary key check (id ~ '^[0-9a-f]{64}$'),
  owner_id text collate "C" not null,
  purpose text collate "C" not null
    check (purpose in ('receipt', 'payment-option', 'photo', 'attestation')),
  media_type text collate "C" not null
    check (media_type in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Null if the bytes are in the object store.
  bytes bytea check (octet_length(bytes) between 1 and 8388608),
  size_bytes int not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  -- Null if nothing refers to the file yet. Such a file is removed after a day.
  referenced_at timestamptz,
  -- A PDF is stored without changes, so browsers must not display it: it is only served as a
  -- download.
  constraint file_pdf_check check (media_type <> 'application/pdf' or purpose = 'attestation')
);
create index file_by_owner on platform.file (owner_id, created_at);
create index file_by_sha256 on platform.file (sha256) where purpose = 'receipt';
create index file_unreferenced on platform.file (created_at) where referenced_at is null;
grant select (id, owner_id, purpose, created_at, referenced_at, size_bytes), delete
  on platform.file to cairn_gateway_worker;
grant update (referenced_at) on platform.file to cairn_gateway_worker;

-- The number of uploads of an owner within a day. An upload that is not stored also counts, because
-- decoding an image costs more than storing it.
create table platform.upload_quota (
  owner_id text collate "C" not null primary key,
  -- The time at which the current count started. A day after this time, a new count starts.
  started_at timestamptz not null,
  files int not null check (files >= 0),
  bytes bigint not null check (bytes >= 0)
);

-- Monthly statements and certificates of investments, as they were issued. They are encrypted with
-- the investor's key (person_keys.key), so that deleting the key makes them unreadable.
create table platform.paper (
  id text collate "C" not null primary key,
  kind text collate "C" not null check (kind in ('statement', 'certificate')),
  investor_id text collate "C" not null,
  -- A month such as 2026-10, or the id of an investment.
  subject text collate "C" not null,
  -- Encrypted with AES-256-GCM.
  sealed bytea not null check (octet_length(sealed) between 1 and 8388608),
  size_bytes int not null check (size_bytes > 0),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz not null,
  -- Prevents two workers from issuing the same document twice.
  constraint paper_subject_key unique (investor_id, kind, subject)
);
revoke update, delete on platform.paper from cairn_gateway;
grant select, insert on platform.paper to cairn_gateway_worker;

-- Requests and followers of the log

-- Requests with an idempotency key. The worker deletes old rows; the ledger still refuses a
-- repetition of such a request.
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
create index keyed_request_by_created_at on platform.keyed_request (created_at);
grant select (user_id, key, subject_id, created_at), delete
  on platform.keyed_request to cairn_gateway_worker;

-- The number of requests of each address in the current time window, over all gateways. The library
-- rate-limiter-flexible requires these columns. After a crash, the counts may be lost.
create unlogged table platform.rate_limit (
  key text collate "C" not null primary key,
  points int not null,
  -- Milliseconds since 1970.
  expire bigint
);
create index rate_limit_by_expire on platform.rate_limit (expire);
grant select (key, expire), delete on platform.rate_limit to cairn_gateway_worker;

-- The last event that each follower has read, or -1.
create table platform.cursor (
  name text collate "C" not null primary key,
  seq bigint not null check (seq >= -1),
  updated_at timestamptz not null
);
grant select, insert, update on platform.cursor to cairn_gateway_worker;

-- Mails and notifications

-- Mails that were sent. A repeated job does not send its mail again.
create table platform.mail_delivery (
  message_id text collate "C" not null primary key,
  kind text collate "C" not null,
  sent_at timestamptz not null
);
grant select, insert on platform.mail_delivery to cairn_gateway_worker;

-- The texts with which administrators have replaced the texts of built-in mails.
create table platform.mail_template (
  kind text collate "C" not null primary key,
  subject text not null check (length(subject) between 1 and 200),
  body text not null check (length(body) between 1 and 5000),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);
grant select on platform.mail_template to cairn_gateway_worker;

create table platform.notification (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  -- The event or row that caused the notification. It is unique, so that an event that is read
  -- twice causes one notification.
  source text collate "C" not null,
  kind text collate "C" not null,
  title text not null,
  body text not null,
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notification_source_key unique (user_id, source)
);
create index notification_by_user on platform.notification (user_id, id desc);
create index notification_unread on platform.notification (user_id) where read_at is null;
-- A decision marks the notifications of all administrators about its request as read.
create index notification_to_review on platform.notification (link)
  where kind = 'review' and read_at is null;
grant select, insert, update (read_at) on platform.notification to cairn_gateway_worker;

create table platform.preference (
  user_id text collate "C" not null primary key,
  content jsonb not null,
  updated_at timestamptz not null
);
grant select on platform.preference to cairn_gateway_worker;

create table platform.contact_message (
  id text collate "C" not null primary key,
  name text not null,
  email text not null,
  message text not null,
  ip text not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  answered_at timestamptz
);
create index contact_message_by_time on platform.contact_message (id desc);
grant select, update (mailed_at) on platform.contact_message to cairn_gateway_worker;

-- Notes that administrators write about a user.
create table platform.user_note (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  author_id text collate "C" not null,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index user_note_by_user on platform.user_note (user_id, id desc);

-- Change requests: one administrator proposes a change, and a second administrator approves the
-- hash of its content.

create table platform.change_request (
  id text collate "C" not null primary key,
  kind text collate "C" not null,
  -- The object to be changed, such as the id of a payment option.
  target text collate "C" not null,
  title text not null check (length(title) between 1 and 200),
  -- Canonical JSON. It is stored as text, because the hash covers exactly these bytes.
  payload text not null,
  payload_sha256 text collate "C" not null
    check (payload_sha256 = encode(sha256(convert_to(payload, 'UTF8')), 'hex')),
  -- The state before the change, as canonical JSON. If the state differs from this text when the
  -- change is carried out, the change fails.
  before text not null,
  reason text not null check (length(reason) between 1 and 500),
  created_by text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  state text collate "C" not null check (
    state in ('pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired')
  ),
  -- The administrator who approved, rejected or withdrew the request. Null while it is pending or
  -- if it expired.
  decided_by text collate "C",
  decided_at timestamptz,
  -- The reason why the change failed or was rejected.
  failure text check (length(failure) between 1 and 500),
  constraint change_request_decided_check check ((state = 'pending') = (decided_at is null)),
  constraint change_request_two_people
    check (state not in ('approved', 'executed') or decided_by <> created_by)
);
create unique index change_request_open on platform.change_request (kind, target)
  where state in ('pending', 'approved');
create index change_request_by_state on platform.change_request (state, id desc);
create index change_request_by_target on platform.change_request (kind, target, id desc);
-- The proposal itself can never be changed.
revoke update, delete on platform.change_request from cairn_gateway;
grant update (state, decided_by, decided_at, failure) on platform.change_request to cairn_gateway;
grant select (id, payload, state) on platform.change_request to cairn_gateway_worker;

create table platform.change_approval (
  request_id text collate "C" not null references platform.change_request (id),
  approver_id text collate "C" not null,
  approved_at timestamptz not null,
  -- The hash of the content that the approver was shown.
  payload_sha256 text collate "C" not null check (payload_sha256 ~ '^[0-9a-f]{64}$'),
  primary key (request_id, approver_id)
);
revoke update, delete on platform.change_approval from cairn_gateway;

-- Prevents a change to a request in a final state, even if the code has a bug.
create function platform.keep_final_change() returns trigger language plpgsql as $$
begin
  if old.state not in ('pending', 'approved') or new.state = 'pending' then
    raise exception 'change request % is % and cannot become %', old.id, old.state, new.state
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
grant execute on function platform.keep_final_change() to cairn_gateway;
create trigger change_request_final before update on platform.change_request
  for each row execute function platform.keep_final_change();

reset role;
