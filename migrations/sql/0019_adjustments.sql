-- Adjustments are few, next to the other transactions, and their own list asks for them alone.

set role cairn_owner;

create index transaction_by_adjustment on ledger.transaction (ledger_id, created_at, seq)
where purpose = 'adjustment';

reset role;
