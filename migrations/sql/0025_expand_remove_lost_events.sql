-- scope: site
-- After an accepted loss of events, the gateway worker removes what it had copied from the lost
-- events. The previous release has no such rights and keeps the copies.

set role cairn_owner;

grant delete on platform.operator_day, platform.operator_quarter, platform.investor_quarter,
  platform.flow_quarter, platform.investor_credit_quarter, platform.investor_bonus_quarter,
  platform.investor_available, platform.cash_movement to cairn_gateway_worker;
grant select (seq), delete on platform.bank_match to cairn_gateway_worker;

reset role;
