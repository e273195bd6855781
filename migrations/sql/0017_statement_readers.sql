-- A statement's number has the reader's account id in it.

set role cairn_owner;

grant select (account_id) on identity.user to cairn_gateway_worker;

reset role;
