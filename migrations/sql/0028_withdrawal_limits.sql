-- How much each investor has asked for in the newest day with a request and in its month, in UTC: what the
-- limits of withdrawals are decided by. Requests that are declined do not count. Filled from what is there,
-- so that it is what the log says from the first moment on.

set role cairn_owner;

alter table ledger.rules
  add column daily_withdrawal_limit_minor bigint check (daily_withdrawal_limit_minor > 0),
  add column monthly_withdrawal_limit_minor bigint check (monthly_withdrawal_limit_minor > 0);

alter table ledger.investor
  add column withdrawal_day text collate "C",
  add column day_withdrawals_minor bigint not null default 0 check (day_withdrawals_minor >= 0),
  add column month_withdrawals_minor bigint not null default 0,
  add constraint investor_withdrawals_check check (month_withdrawals_minor >= day_withdrawals_minor);

with newest as (
  select ledger_id, investor_id, max(created_at at time zone 'UTC') as requested_at
  from ledger.transaction
  where type = 'withdrawal'
  group by ledger_id, investor_id
), counted as (
  select n.ledger_id, n.investor_id, to_char(n.requested_at, 'YYYY-MM-DD') as day,
    coalesce(sum(t.amount_minor) filter (
      where date_trunc('day', t.created_at at time zone 'UTC') = date_trunc('day', n.requested_at)
    ), 0) as day_minor,
    coalesce(sum(t.amount_minor), 0) as month_minor
  from newest n
  left join ledger.transaction t
    on t.ledger_id = n.ledger_id and t.investor_id = n.investor_id and t.type = 'withdrawal'
    and t.status <> 'declined'
    and date_trunc('month', t.created_at at time zone 'UTC') = date_trunc('month', n.requested_at)
  group by n.ledger_id, n.investor_id, n.requested_at
)
update ledger.investor i
set withdrawal_day = c.day, day_withdrawals_minor = c.day_minor, month_withdrawals_minor = c.month_minor
from counted c
where i.ledger_id = c.ledger_id and i.investor_id = c.investor_id;

reset role;
