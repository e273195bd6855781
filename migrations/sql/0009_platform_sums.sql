-- Sums that followers of the log keep for charts and for sorting. Balances that pages show or that
-- decisions need are read from the ledger.

set role cairn_owner;

-- Sums for charts, by effective time. A follower of the log computes them from the postings. A
-- quarter is 15 minutes, because midnight in every time zone is at the end of a quarter. The sums
-- by UTC day give the state before the first day of a chart.

create table platform.operator_day (
  day date not null,
  kind text collate "C" not null,
  amount_minor bigint not null,
  primary key (day, kind)
);
create table platform.operator_quarter (
  at timestamptz not null,
  kind text collate "C" not null,
  amount_minor bigint not null,
  primary key (at, kind)
);
create table platform.investor_quarter (
  investor_id text collate "C" not null,
  at timestamptz not null,
  available_minor bigint not null,
  held_minor bigint not null,
  principal_minor bigint not null,
  profit_minor bigint not null,
  paid_in_minor bigint not null,
  primary key (investor_id, at)
);
create table platform.flow_quarter (
  at timestamptz not null primary key,
  deposits_minor bigint not null,
  withdrawals_minor bigint not null,
  profit_minor bigint not null,
  invested_minor bigint not null
);
grant select, insert, update on platform.operator_day, platform.operator_quarter,
  platform.investor_quarter, platform.flow_quarter to cairn_gateway_worker;

-- The available balance of each investor, which a follower of the log sums. Lists of users are
-- sorted by this balance; the amounts shown come from the ledger.
create table platform.investor_balance (
  investor_id text collate "C" not null primary key,
  balance_minor bigint not null
);
grant select, insert, update on platform.investor_balance to cairn_gateway_worker;

reset role;
