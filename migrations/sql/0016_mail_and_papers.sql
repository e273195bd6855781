-- What administrators wrote in place of a built-in mail, and the papers that were made of the books:
-- monthly statements and certificates of investments.

set role cairn_owner;

create table platform.mail_template (
  kind text collate "C" not null primary key,
  subject text not null check (length(subject) between 1 and 200),
  body text not null check (length(body) between 1 and 5000),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);

create table platform.paper (
  id text collate "C" not null primary key,
  kind text collate "C" not null check (kind in ('statement', 'certificate')),
  investor_id text collate "C" not null,
  -- A month such as 2026-10, or an investment's id.
  subject text collate "C" not null,
  bytes bytea not null check (octet_length(bytes) between 1 and 8388608),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz not null,
  -- Made once, however many workers find it due.
  constraint paper_subject_key unique (investor_id, kind, subject)
);

-- What was given to somebody stays as it was given.
revoke update, delete on platform.paper from cairn_gateway;

grant select on platform.mail_template to cairn_gateway_worker;
grant select, insert on platform.paper to cairn_gateway_worker;
grant select (created_at) on identity.user to cairn_gateway_worker;

reset role;
