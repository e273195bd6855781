-- By which request a mail was asked for: the same id stands in the logs of gateway, ledger and worker.

set role cairn_owner;

alter table identity.outbox add column request_id text;

reset role;
