-- scope: site
-- The worker sends commands about a person to the ledger of the person.

set role cairn_owner;

grant select (ledger_id) on identity.user to cairn_gateway_worker;

reset role;
