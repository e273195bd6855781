-- The ledger: one append-only log per ledger_id, and the projections its writer keeps in the same
-- statement. ledger_id leads every key; no foreign keys or sequences, so that one statement stays one
-- statement on any number of machines. What references would check, the writer decides and `check` proves.

set role cairn_owner;

-- One row per ledger: the fence. A batch commits only if size and epoch are still what its writer saw.
create table ledger.head (
  ledger_id int not null,
  size bigint not null check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  frontier bytea not null check (octet_length(frontier) % 32 = 0),
  epoch bigint not null,
  last_recorded_at timestamptz not null,
  primary key (ledger_id)
) with (fillfactor = 10);

-- The truth. `bytes` is the canonical envelope that leaf_hash covers; the other columns are copies of it.
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
  bytes bytea not null check (octet_length(bytes) <= 65535),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  primary key (ledger_id, seq),
  constraint event_idempotency_hash_key unique (ledger_id, idempotency_hash)
);

-- Refusals of keyed commands, so that a retry hears the same answer. Not part of the log.
create table ledger.refusal (
  ledger_id int not null,
  idempotency_hash bytea not null check (octet_length(idempotency_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  code text collate "C" not null,
  message text not null,
  details jsonb not null,
  recorded_at timestamptz not null,
  primary key (ledger_id, idempotency_hash)
);

create table ledger.posting (
  ledger_id int not null,
  account text collate "C" not null,
  seq bigint not null,
  leg int not null,
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null,
  primary key (ledger_id, account, seq, leg)
);

create table ledger.subtree (
  ledger_id int not null,
  level int not null,
  idx bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (ledger_id, level, idx)
);

create table ledger.balance (
  ledger_id int not null,
  account text collate "C" not null,
  balance_minor bigint not null,
  floor_minor bigint,
  last_seq bigint not null,
  primary key (ledger_id, account),
  constraint balance_floor_check check (floor_minor is null or balance_minor >= floor_minor)
) with (fillfactor = 50);

create table ledger.investor (
  ledger_id int not null,
  investor_id text collate "C" not null,
  standing text collate "C" not null check (standing in ('active', 'deactivated', 'denied', 'closed')),
  referrer_id text collate "C",
  deposited_minor bigint not null check (deposited_minor >= 0),
  withdrawn_minor bigint not null check (withdrawn_minor >= 0),
  investment_count int not null check (investment_count >= 0),
  active_investment_count int not null check (active_investment_count >= 0),
  pending_count int not null check (pending_count >= 0),
  invested_minor bigint not null check (invested_minor >= 0),
  profit_minor bigint not null check (profit_minor >= 0),
  referral_minor bigint not null check (referral_minor >= 0),
  last_seq bigint not null,
  primary key (ledger_id, investor_id)
) with (fillfactor = 50);

create table ledger.plan (
  ledger_id int not null,
  plan_id text collate "C" not null,
  version int not null check (version >= 1),
  name text,
  duration int not null check (duration >= 1),
  unit text collate "C" not null check (unit in ('hours', 'days')),
  minimum_minor bigint not null check (minimum_minor > 0),
  maximum_minor bigint check (maximum_minor >= minimum_minor),
  profit_ppm int not null check (profit_ppm >= 0),
  referral_bonus_ppm int not null check (referral_bonus_ppm >= 0),
  return_principal boolean not null,
  is_archived boolean not null,
  defined_at timestamptz not null,
  last_seq bigint not null,
  primary key (ledger_id, plan_id)
);

create table ledger.rules (
  ledger_id int not null,
  version int not null,
  deposit_fee_ppm int not null check (deposit_fee_ppm between 0 and 100000),
  withdrawal_fee_ppm int not null check (withdrawal_fee_ppm between 0 and 100000),
  minimum_deposit_minor bigint not null check (minimum_deposit_minor > 0),
  minimum_withdrawal_minor bigint not null check (minimum_withdrawal_minor > 0),
  coverage_mode text collate "C" not null check (coverage_mode in ('disclose', 'strict')),
  is_referral_enabled boolean not null,
  approval_threshold_minor bigint check (approval_threshold_minor > 0),
  cooling_off_hours int not null check (cooling_off_hours >= 0),
  last_seq bigint not null,
  primary key (ledger_id)
);

create table ledger.transaction (
  ledger_id int not null,
  transaction_id text collate "C" not null,
  reference text collate "C" not null,
  type text collate "C" not null check (type in ('deposit', 'withdrawal', 'transfer')),
  purpose text collate "C" not null,
  status text collate "C" not null check (status in ('pending', 'success', 'declined')),
  investor_id text collate "C",
  amount_minor bigint not null check (amount_minor > 0),
  requested_minor bigint not null check (requested_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor <= amount_minor),
  fee_ppm int not null check (fee_ppm between 0 and 100000),
  is_credit boolean not null,
  method text collate "C" not null,
  payment_option_id text collate "C",
  receipt_id text collate "C",
  receipt_sha256 text collate "C",
  bank_account_id text collate "C",
  investment_id text collate "C",
  reason text,
  payout_reference text,
  requested_by text collate "C" not null,
  first_approved_by text collate "C",
  decided_by text collate "C",
  created_at timestamptz not null,
  decided_at timestamptz,
  seq bigint not null,
  last_seq bigint not null,
  primary key (ledger_id, transaction_id)
) with (fillfactor = 80);
create unique index transaction_reference_key on ledger.transaction (ledger_id, reference);
create index transaction_by_created_at on ledger.transaction (ledger_id, created_at, seq);
create index transaction_by_investor on ledger.transaction (ledger_id, investor_id, created_at, seq);
create index transaction_by_pending on ledger.transaction (ledger_id, created_at, seq) where status = 'pending';

create table ledger.investment (
  ledger_id int not null,
  investment_id text collate "C" not null,
  reference text collate "C" not null,
  investor_id text collate "C" not null,
  plan_id text collate "C" not null,
  plan_version int not null,
  plan_name text,
  status text collate "C" not null check (status in ('active', 'completed', 'denied')),
  principal_minor bigint not null check (principal_minor > 0),
  promised_minor bigint not null check (promised_minor >= 0),
  credited_minor bigint not null check (credited_minor >= 0 and credited_minor <= promised_minor),
  unit text collate "C" not null check (unit in ('hours', 'days')),
  duration int not null check (duration >= 1),
  units_done int not null check (units_done >= 0 and units_done <= duration),
  return_principal boolean not null,
  bonus_minor bigint not null check (bonus_minor >= 0),
  bonus_to text collate "C",
  reason text,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  next_due_at timestamptz,
  ended_at timestamptz,
  seq bigint not null,
  last_seq bigint not null,
  primary key (ledger_id, investment_id)
) with (fillfactor = 50);
create index investment_by_started_at on ledger.investment (ledger_id, started_at, seq);
create index investment_by_investor on ledger.investment (ledger_id, investor_id, started_at, seq);

-- Sums over all investors, kept by the writer: no page sums a table.
create table ledger.control_total (
  ledger_id int not null,
  name text collate "C" not null,
  count bigint not null,
  amount_minor bigint not null,
  profit_minor bigint not null,
  last_seq bigint not null,
  primary key (ledger_id, name)
) with (fillfactor = 10);

-- The log only grows: not even the roles that may write here can change what is written.
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
alter table ledger.event enable always trigger event_append_only;
alter table ledger.posting enable always trigger posting_append_only;
alter table ledger.refusal enable always trigger refusal_append_only;
alter table ledger.subtree enable always trigger subtree_append_only;

-- Asserted where the decision is made, and here again: the postings of an event add up to zero.
create function ledger.require_zero_sum() returns trigger language plpgsql as $$
declare
  unbalanced bigint;
begin
  select seq into unbalanced from added group by ledger_id, seq having sum(amount_minor) <> 0 limit 1;
  if found then
    raise exception 'the postings of event % do not add up to zero', unbalanced
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger posting_zero_sum after insert on ledger.posting
  referencing new table as added for each statement execute function ledger.require_zero_sum();
alter table ledger.posting enable always trigger posting_zero_sum;

grant select on all tables in schema ledger to cairn_ledger, cairn_auditor, cairn_backup;
grant insert on all tables in schema ledger to cairn_ledger;
grant update on ledger.head, ledger.balance, ledger.investor, ledger.plan, ledger.rules,
  ledger.transaction, ledger.investment, ledger.control_total to cairn_ledger;

reset role;
