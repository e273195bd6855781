-- The ledger: one append-only log per ledger_id, and its proofs. ledger_id is the first column of
-- each key. There are no foreign keys or sequences, so that ledgers can be on several servers. The
-- writer ensures the conditions that foreign keys would ensure, and the command `verify` checks
-- these conditions.

set role cairn_owner;

create schema ledger;
grant usage on schema ledger to cairn_ledger, cairn_auditor, cairn_backup;
alter default privileges in schema ledger
  grant select on tables to cairn_ledger, cairn_auditor, cairn_backup;

-- The log

-- One row per ledger. A batch commits only if size, root and fencing_token are still the values
-- that its writer read, so two writers cannot extend the same log.
-- fencing_token: a random number, so that two writers do not use the same token after an older
-- state was restored.
-- previous_token: the token of the writer before the present writer.
-- model: the version of the rules in force. A writer that does not know this version cannot take
-- over the log.
create table ledger.head (
  ledger_id int not null,
  size bigint not null check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  frontier bytea not null check (octet_length(frontier) % 32 = 0),
  refusal_count bigint not null check (refusal_count >= 0),
  -- The newest hash of the chain of refusals. The next event contains it.
  refusal_hash bytea not null check (octet_length(refusal_hash) = 32),
  fencing_token bigint not null,
  previous_token bigint not null,
  model int not null,
  last_recorded_at timestamptz not null,
  primary key (ledger_id)
) with (fillfactor = 10);

-- The URL of the active instance, to which all other instances forward commands. A wrong URL only
-- delays commands, because ledger.head guarantees that only one writer commits.
create table ledger.active_instance (
  ledger_id int not null,
  address text not null,
  claimed_at timestamptz not null,
  primary key (ledger_id)
);

-- The events, from which all other tables can be computed. `bytes` is the canonical envelope that
-- leaf_hash covers; the other columns copy parts of `bytes`.
create table ledger.event (
  ledger_id int not null,
  seq bigint not null check (seq >= 0),
  type text collate "C" not null,
  schema_version int not null,
  actor text collate "C" not null,
  recorded_at timestamptz not null,
  effective_at timestamptz not null check (effective_at <= recorded_at),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  idempotency_hash bytea check (octet_length(idempotency_hash) = 32),
  -- The id of the command in a system outside of the platform.
  external_id text collate "C" check (length(external_id) between 1 and 64),
  bytes bytea not null check (octet_length(bytes) <= 65535),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  -- A proof reads 256 neighbouring leaf hashes. This index has them on two pages; the table has
  -- them on 40 pages.
  primary key (ledger_id, seq) include (leaf_hash)
);

-- A key is recorded once. Accruals have no key and therefore no entry in this index.
create unique index event_idempotency_hash_key on ledger.event (ledger_id, idempotency_hash)
  where idempotency_hash is not null;

-- Finds the events about an investor that have no postings. Such events cannot be found by account.
create index event_by_standing on ledger.event (
  ledger_id, substring(encode(bytes, 'escape') from '"investorId":"([0-9a-z]+)"'), seq
) where type in ('InvestorActivated', 'InvestorSuspended', 'InvestorClosed');
-- Finds the events of a transaction that have no postings. The row of the transaction names only
-- its first and its last event.
create index event_without_postings on ledger.event (
  ledger_id, substring(encode(bytes, 'escape') from '"transactionId":"([0-9a-z]+)"'), seq
) where type in (
  'DepositDeclined', 'WithdrawalHeld'
);

-- Finds the events that were recorded after they happened, for balances at an effective time.
create index event_backdated on ledger.event (ledger_id, seq) include (effective_at)
  where effective_at < recorded_at;
-- Few events have an external id. The index contains only these events, so it does not slow down
-- the writing of events without one.
create index event_by_external_id on ledger.event (ledger_id, external_id, seq)
  where external_id is not null;

-- Seals of the audit log, which a check of the audit log reads in order.
create index event_by_audit_seal on ledger.event (ledger_id, seq) where type = 'AuditSealed';

-- Closed months, which a verification reads before it replays the log.
create index event_by_closed_month on ledger.event (ledger_id, seq) where type = 'MonthClosed';

-- Changes of the signing key, which every verification of a checkpoint reads.
create index event_by_handover on ledger.event (ledger_id, seq)
  where type in ('SigningKeyReplaced', 'LogForked');

create table ledger.posting (
  ledger_id int not null,
  account text collate "C" not null,
  seq bigint not null,
  leg int not null,
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null,
  primary key (ledger_id, account, seq, leg)
);
-- Finds the postings of a part of the log. A BRIN index is enough and costs the writer little,
-- because postings are stored in the order of their events.
create index posting_by_seq on ledger.posting using brin (seq) with (pages_per_range = 32);

-- The refusals of commands that had an idempotency key, so that a retry gets the same answer.
-- Refusals are not events. `bytes` contains the command, and the size of the log on which the
-- command was decided. The other columns copy parts of `bytes`. Each event contains the hash of all
-- refusals before it.
create table ledger.refusal (
  ledger_id int not null,
  place bigint not null check (place >= 0),
  idempotency_hash bytea not null check (octet_length(idempotency_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  code text collate "C" not null,
  message text not null,
  details jsonb not null,
  recorded_at timestamptz not null,
  bytes bytea not null,
  primary key (ledger_id, idempotency_hash)
);

-- Proofs

-- The hashes of the complete subtrees of the Merkle tree.
create table ledger.subtree (
  ledger_id int not null,
  level int not null,
  idx bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (ledger_id, level, idx)
);

-- The public halves of all keys that have signed the log. Each key except the first
-- key is named by the event that introduced it. Private keys are never in the database.
create table ledger.log_key (
  ledger_id int not null,
  verifier_key text not null check (verifier_key <> ''),
  first_used_at timestamptz not null,
  primary key (ledger_id, verifier_key)
);

-- The signed tree heads, which prove that the operator has not changed earlier events.
create table ledger.checkpoint (
  ledger_id int not null,
  size bigint not null check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  signed_at timestamptz not null,
  primary key (ledger_id, size)
);

-- The signed trial balance of each month: a checkpoint of the last event of the month. Its
-- extension lines contain the sum of each account kind.
create table ledger.trial_balance (
  ledger_id int not null,
  month text collate "C" not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  size bigint not null check (size > 0),
  note text not null,
  signed_at timestamptz not null,
  primary key (ledger_id, month)
);

-- Verifications of the whole log and their results, for display only.
create table ledger.verification (
  ledger_id int not null,
  id text collate "C" not null,
  requested_by text collate "C" not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The number of events at the start of the log that the verification skipped, because a signed
  -- checkpoint covers them.
  since bigint not null check (since >= 0),
  events bigint,
  postings bigint,
  checkpoints int,
  first_bad_seq bigint,
  problems jsonb,
  primary key (ledger_id, id)
);

-- Rows of append-only tables cannot be changed or removed, even by the owner of the tables.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on ledger.% is refused: the log is append-only', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger event_append_only before update or delete or truncate on ledger.event
  for each statement execute function ledger.refuse_change();
create trigger posting_append_only before update or delete or truncate on ledger.posting
  for each statement execute function ledger.refuse_change();
create trigger refusal_append_only before update or delete or truncate on ledger.refusal
  for each statement execute function ledger.refuse_change();
create trigger subtree_append_only before update or delete or truncate on ledger.subtree
  for each statement execute function ledger.refuse_change();
create trigger log_key_append_only before update or delete or truncate on ledger.log_key
  for each statement execute function ledger.refuse_change();
create trigger checkpoint_append_only before update or delete or truncate on ledger.checkpoint
  for each statement execute function ledger.refuse_change();
create trigger trial_balance_append_only before update or delete or truncate on ledger.trial_balance
  for each statement execute function ledger.refuse_change();

-- Refuses an event whose postings do not add up to zero in each asset. The code of an account
-- contains the asset after `@`, unless it is the currency of the ledger. The writer has already
-- checked this sum.
create function ledger.require_zero_sum() returns trigger language plpgsql as $$
declare
  unbalanced bigint;
begin
  select seq into unbalanced from added group by ledger_id, seq, split_part(account, '@', 2)
    having sum(amount_minor) <> 0 limit 1;
  if found then
    raise exception 'the postings of event % do not add up to zero', unbalanced
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger posting_zero_sum after insert on ledger.posting
  referencing new table as added for each statement execute function ledger.require_zero_sum();

-- `always` is needed, because a session could otherwise disable these triggers with
-- session_replication_role.
alter table ledger.event enable always trigger event_append_only;
alter table ledger.posting enable always trigger posting_append_only;
alter table ledger.posting enable always trigger posting_zero_sum;
alter table ledger.refusal enable always trigger refusal_append_only;
alter table ledger.subtree enable always trigger subtree_append_only;
alter table ledger.log_key enable always trigger log_key_append_only;
alter table ledger.checkpoint enable always trigger checkpoint_append_only;
alter table ledger.trial_balance enable always trigger trial_balance_append_only;

-- The right to read follows from the default privileges above. The rights to write are granted
-- here.
grant insert on ledger.head, ledger.active_instance, ledger.event, ledger.posting, ledger.refusal,
  ledger.subtree, ledger.log_key, ledger.checkpoint, ledger.trial_balance, ledger.verification
  to cairn_ledger;
grant update on ledger.head, ledger.active_instance to cairn_ledger;
grant update (since, finished_at, events, postings, checkpoints, first_bad_seq, problems)
  on ledger.verification to cairn_ledger;

reset role;
