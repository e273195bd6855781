-- What the gateway keeps beside the money: questions and answers, notifications, preferences, notes,
-- messages, attestations and what is said in public, and the curves that charts draw.

set role cairn_owner;

create extension if not exists pg_trgm with schema identity;

-- People are searched for by any part of their name or e-mail.
create index user_by_name_part on identity.user using gin (name identity.gin_trgm_ops);
create index user_by_email_part on identity.user using gin (email identity.gin_trgm_ops);

alter table identity.user add column photo_id text collate "C";
alter table platform.file drop constraint file_purpose_check;
alter table platform.file add constraint file_purpose_check
  check (purpose in ('receipt', 'payment-option', 'photo', 'attestation'));
-- Null: the bytes are in the object store.
alter table platform.file alter column bytes drop not null;
alter table platform.file add column size_bytes int;
update platform.file set size_bytes = octet_length(bytes);
alter table platform.file alter column size_bytes set not null;

create table platform.faq (
  id text collate "C" not null primary key,
  question text not null check (length(question) between 1 and 300),
  answer text not null check (length(answer) between 1 and 5000),
  position int not null,
  is_visible boolean not null,
  updated_at timestamptz not null
);
insert into platform.faq (id, question, answer, position, is_visible, updated_at) values
  ('00000000000000000001', 'How do I start?',
   'Create an account, confirm your e-mail with the four-digit code, and deposit by one of the offered methods. Once a person has checked your receipt, your balance grows and you can choose a plan.',
   1, true, now()),
  ('00000000000000000002', 'Is my profit guaranteed?',
   'No. Each plan states its profit before you pay, and the operator promises it from its own reserve. The reserve may hold less than all it has promised. You can lose all the money you invest.',
   2, true, now()),
  ('00000000000000000003', 'When can I withdraw?',
   'What stands in your wallet, as balance, profit or referral earnings, can be withdrawn at any time to a bank account that you added. The amount is set aside at once and paid after a person has approved it. What a running plan holds comes back when its term ends, if the plan returns it.',
   3, true, now());

create table platform.notification (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  -- What it follows from: the same thing is told once, however often it is read.
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

create table platform.preference (
  user_id text collate "C" not null primary key,
  content jsonb not null,
  updated_at timestamptz not null
);

create table platform.user_note (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  author_id text collate "C" not null,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index user_note_by_user on platform.user_note (user_id, id desc);

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

-- What the operator states in public; what the platform measures itself is not here.
create table platform.claim (
  key text collate "C" not null primary key,
  content jsonb not null,
  stated_by text collate "C" not null,
  stated_at timestamptz not null,
  approved_by text collate "C",
  approved_at timestamptz,
  constraint claim_two_people check (approved_by is null or approved_by <> stated_by)
);

-- Somebody looked at the bank account and wrote down what is there, and somebody else looked too.
create table platform.attestation (
  id text collate "C" not null primary key,
  as_of date not null,
  assets_minor bigint not null check (assets_minor >= 0),
  note text,
  file_id text collate "C" not null references platform.file (id),
  file_sha256 text collate "C" not null,
  made_by text collate "C" not null,
  made_at timestamptz not null,
  confirmed_by text collate "C",
  confirmed_at timestamptz,
  constraint attestation_two_people check (confirmed_by is null or confirmed_by <> made_by)
);
create index attestation_by_time on platform.attestation (as_of desc, id desc);

alter table platform.bank_account add column label text;
alter table platform.bank_account add column confirmed_at timestamptz;
alter table platform.bank_account add column usable_from timestamptz;
update platform.bank_account set confirmed_at = created_at, usable_from = created_at;
alter table platform.bank_account add constraint bank_account_cooling_check
  check (usable_from is null or confirmed_at is not null);

-- The code that confirms a new bank account.
create table platform.bank_code (
  account_id text collate "C" not null primary key references platform.bank_account (id),
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  expires_at timestamptz not null,
  sent_at timestamptz not null
);

-- Curves by day of effective time, summed from the postings by a follower of the log.
create table platform.operator_day (
  day date not null,
  kind text collate "C" not null,
  amount_minor bigint not null,
  primary key (day, kind)
);
create table platform.investor_day (
  investor_id text collate "C" not null,
  day date not null,
  available_minor bigint not null,
  held_minor bigint not null,
  principal_minor bigint not null,
  profit_minor bigint not null,
  primary key (investor_id, day)
);
create table platform.flow_day (
  day date not null primary key,
  deposits_minor bigint not null,
  withdrawals_minor bigint not null,
  profit_minor bigint not null,
  invested_minor bigint not null
);

create index file_by_sha256 on platform.file (sha256) where purpose = 'receipt';

-- The first of two approvals posts nothing, so no account leads to it.
create index event_by_approval on ledger.event (
  ledger_id, substring(encode(bytes, 'escape') from '"transactionId":"([0-9a-z]+)"'), seq
) where type in ('DepositApprovalRecorded', 'WithdrawalApprovalRecorded');

create index audit_by_actor on platform.audit (actor_id, id desc);
create index audit_by_subject on platform.audit (subject, id desc) where subject is not null;

revoke update, delete on platform.attestation from cairn_gateway;
grant update (confirmed_by, confirmed_at) on platform.attestation to cairn_gateway;

grant select, insert on platform.notification to cairn_gateway_worker;
grant select, insert, update on platform.operator_day, platform.investor_day, platform.flow_day
  to cairn_gateway_worker;
grant select, update (mailed_at) on platform.contact_message to cairn_gateway_worker;
grant select on platform.preference to cairn_gateway_worker;

reset role;
