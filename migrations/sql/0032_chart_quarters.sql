-- Curves by quarter of an hour: every zone's midnight is the end of one, so that a chart can be drawn by
-- the days of whoever looks at it. The operator's days in UTC stay, as what stands before a range.
-- The follower of this shape begins the log anew.

set role cairn_owner;

drop table platform.investor_day;
drop table platform.flow_day;
truncate platform.operator_day;
delete from platform.cursor where name = 'charts.v1';

create table platform.investor_quarter (
  investor_id text collate "C" not null,
  at timestamptz not null,
  available_minor bigint not null,
  held_minor bigint not null,
  principal_minor bigint not null,
  profit_minor bigint not null,
  primary key (investor_id, at)
);
create table platform.operator_quarter (
  at timestamptz not null,
  kind text collate "C" not null,
  amount_minor bigint not null,
  primary key (at, kind)
);
create table platform.flow_quarter (
  at timestamptz not null primary key,
  deposits_minor bigint not null,
  withdrawals_minor bigint not null,
  profit_minor bigint not null,
  invested_minor bigint not null
);

grant select, insert, update on platform.investor_quarter, platform.operator_quarter,
  platform.flow_quarter to cairn_gateway_worker;

reset role;
