-- scope: site
-- How far the worker has copied plans, rules and approvers of the first ledger to each further one.
-- A ledger gets new people only while its copy is complete, so only the worker writes these columns.

set role cairn_owner;

-- The number of events of the first ledger that were read for the copy.
alter table platform.ledger add column rules_through bigint not null default 0;
-- The last time at which the copy was complete.
alter table platform.ledger add column rules_copied_at timestamptz;
-- The reason why the copy cannot continue.
alter table platform.ledger add column rules_problem text;
-- The last time at which the ledger answered the worker.
alter table platform.ledger add column answered_at timestamptz;

grant update (rules_through, rules_copied_at, rules_problem, answered_at)
  on platform.ledger to cairn_gateway_worker;
revoke insert on platform.ledger from cairn_gateway;
grant insert (ledger_id, name, is_open, added_at) on platform.ledger to cairn_gateway;

reset role;
