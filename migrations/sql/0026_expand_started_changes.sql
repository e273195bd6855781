-- scope: site
-- The time at which an approved change with a command to a ledger was started. After that, a
-- repetition does not compare the state again, because the command may have changed it.

set role cairn_owner;

alter table platform.change_request add column started_at timestamptz;
grant update (started_at) on platform.change_request to cairn_gateway;

reset role;
