-- The ledger's projections: the current state, which the log determines. `seq` is the event that
-- created a row, and `last_seq` the last event that changed it.

set role cairn_owner;

create table ledger.balance (
  ledger_id int not null,
  account text collate "C" not null,
  balance_minor bigint not null,
  floor_minor bigint,
  last_seq bigint not null,
  primary key (ledger_id, account),
  constraint balance_floor_check check (floor_minor is null or balance_minor >= floor_minor)
) with (fillfactor = 50);

-- Sums over all investors. Each event updates these sums, so that no page has to sum a table.
create table ledger.control_total (
  ledger_id int not null,
  name text collate "C" not null,
  count bigint not null,
  amount_minor bigint not null,
  profit_minor bigint not null,
  last_seq bigint not null,
  primary key (ledger_id, name)
) with (fillfactor = 10);

-- The table has no column last_seq. An event that changes no other column therefore does not write
-- the row.
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
  -- The last UTC day with a withdrawal request, the sum of the requests of that day, and the sum of
  -- the requests of its month. The sums do not include declined requests. The daily and the monthly
  -- withdrawal limit apply to these sums.
  withdrawal_day text collate "C",
  day_withdrawals_minor bigint not null default 0 check (day_withdrawals_minor >= 0),
  month_withdrawals_minor bigint not null default 0,
  -- Ids of pending withdrawals from referral earnings, oldest first, separated by spaces.
  referral_withdrawals text collate "C" not null,
  -- The sum of bonuses that could not be taken back. While this sum is above zero, the investor
  -- gets no bonus.
  bonus_lost_minor bigint not null check (bonus_lost_minor >= 0),
  primary key (ledger_id, investor_id),
  constraint investor_withdrawals_check check (month_withdrawals_minor >= day_withdrawals_minor)
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
  daily_withdrawal_limit_minor bigint check (daily_withdrawal_limit_minor > 0),
  monthly_withdrawal_limit_minor bigint check (monthly_withdrawal_limit_minor > 0),
  coverage_mode text collate "C" not null check (coverage_mode in ('disclose', 'strict')),
  is_referral_enabled boolean not null,
  approval_threshold_minor bigint check (approval_threshold_minor > 0),
  cooling_off_hours int not null check (cooling_off_hours >= 0),
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The administrators who may approve. The mode of dual control is in the table after this table.
create table ledger.approver (
  ledger_id int not null,
  approver text collate "C" not null check (approver like 'admin:%'),
  is_active boolean not null,
  added_at timestamptz not null,
  last_seq bigint not null,
  primary key (ledger_id, approver)
);

create table ledger.dual_control (
  ledger_id int not null,
  mode text collate "C" not null check (mode in ('single', 'required')),
  active_count int not null check (active_count >= 0),
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The last seal of the gateway's audit log: the hash of row number `count`, which covers all
-- earlier rows.
create table ledger.audit_seal (
  ledger_id int not null,
  count bigint not null check (count > 0),
  head text collate "C" not null,
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The last month that was closed.
create table ledger.month_close (
  ledger_id int not null,
  month text collate "C" not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The newest permission to replace the signing key.
create table ledger.key_rotation (
  ledger_id int not null,
  verifier_key text collate "C" not null,
  permitted_at timestamptz not null,
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The files of opening balances that were permitted or imported. `line` is the number of the last
-- imported line, or 0 before the first line is imported.
create table ledger.imported_file (
  ledger_id int not null,
  file_sha256 text collate "C" not null,
  permitted_at timestamptz,
  line int not null check (line >= 0 and line <= last_line),
  last_line int not null,
  last_seq bigint not null,
  primary key (ledger_id, file_sha256)
);

-- The currency of the accounts whose code contains no asset. If the table has no row, the currency
-- is USD/2.
create table ledger.currency (
  ledger_id int not null,
  asset text collate "C" not null check (asset ~ '^[A-Z][A-Z0-9]{1,9}/(\d|1[0-8])$'),
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The version of the rules in force. If the table has no row, the version is 1. ledger.head has a
-- copy of the version, so that each writer can compare it with the versions that the writer knows.
create table ledger.model_version (
  ledger_id int not null,
  version int not null check (version > 1),
  last_seq bigint not null,
  primary key (ledger_id)
);

-- The money that an approver moved alone, by hour. An approver has at most 25 rows: the row of an
-- hour replaces the row of the hour 25 hours before.
create table ledger.sole_act (
  ledger_id int not null,
  cell text collate "C" not null,
  hour bigint not null,
  amount_minor bigint not null check (amount_minor > 0),
  last_seq bigint not null,
  primary key (ledger_id, cell)
);

create table ledger.transaction (
  ledger_id int not null,
  transaction_id text collate "C" not null,
  reference text collate "C" not null,
  type text collate "C" not null check (type in ('deposit', 'withdrawal', 'transfer')),
  purpose text collate "C" not null,
  status text collate "C" not null check (status in ('pending', 'success', 'declined', 'cancelled')),
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
  bank_account_sha256 text collate "C",
  -- The reason why two administrators must approve the withdrawal; null if it is not on hold.
  hold_reason text,
  investment_id text collate "C",
  reason text,
  payout_reference text,
  requested_by text collate "C" not null,
  decided_by text collate "C",
  created_at timestamptz not null,
  decided_at timestamptz,
  seq bigint not null,
  last_seq bigint not null,
  primary key (ledger_id, transaction_id)
) with (fillfactor = 80);
create unique index transaction_reference_key on ledger.transaction (ledger_id, reference);
-- Lists by time, with their counts and sums, need only this index. The status in this index causes
-- no additional writes: each change of the status also changes the index transaction_by_pending,
-- and PostgreSQL then writes a new entry into each index of the table.
create index transaction_by_time on ledger.transaction (ledger_id, created_at, seq)
  include (type, status, amount_minor);
create index transaction_by_amount on ledger.transaction (ledger_id, amount_minor, seq, transaction_id);
create index transaction_by_investor on ledger.transaction (ledger_id, investor_id, created_at, seq);
create index transaction_by_pending on ledger.transaction (ledger_id, created_at, seq)
  where status = 'pending';
-- Adjustments are rare and have their own list.
create index transaction_by_adjustment on ledger.transaction (ledger_id, created_at, seq)
  where purpose = 'adjustment';

create table ledger.investment (
  ledger_id int not null,
  investment_id text collate "C" not null,
  reference text collate "C" not null,
  investor_id text collate "C" not null,
  plan_id text collate "C" not null,
  plan_version int not null,
  plan_name text,
  status text collate "C" not null check (status in ('active', 'completed', 'denied', 'cancelled')),
  principal_minor bigint not null check (principal_minor > 0),
  promised_minor bigint not null check (promised_minor >= 0),
  credited_minor bigint not null check (credited_minor >= 0 and credited_minor <= promised_minor),
  unit text collate "C" not null check (unit in ('hours', 'days')),
  duration int not null check (duration >= 1),
  units_done int not null check (units_done >= 0 and units_done <= duration),
  return_principal boolean not null,
  bonus_minor bigint not null check (bonus_minor >= 0),
  bonus_to text collate "C",
  -- The end of the cooling-off period. Null if the bonus is paid or forfeited, or if the investment
  -- has no bonus.
  bonus_due_at timestamptz,
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
-- No indexed column changes while an investment is active, so accruals do not write to indexes.
create index investment_by_bonus_due on ledger.investment (ledger_id, investment_id)
  where bonus_due_at is not null;
create index investment_by_end on ledger.investment (ledger_id, expires_at) where status = 'active';
-- Lists due investments by id. Ended investments, which become most of the table, are not read.
create index investment_active on ledger.investment (ledger_id, investment_id) where status = 'active';

grant insert, update on ledger.balance, ledger.control_total, ledger.investor, ledger.plan, ledger.rules,
  ledger.transaction, ledger.investment, ledger.approver, ledger.dual_control, ledger.sole_act,
  ledger.audit_seal, ledger.month_close, ledger.key_rotation, ledger.imported_file, ledger.currency,
  ledger.model_version
  to cairn_ledger;

reset role;
