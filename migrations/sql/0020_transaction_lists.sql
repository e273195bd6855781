-- Lists of a million transactions: sorted and searched by amount, counted and summed over a time from
-- the index alone. A decision changes the status and has never been a change within its page, because
-- of the index on pending ones, so these columns cost an entry and no more.

set role cairn_owner;

create index transaction_by_amount on ledger.transaction (ledger_id, amount_minor, seq, transaction_id);

create index transaction_by_time on ledger.transaction (ledger_id, created_at, seq)
include (type, status, amount_minor);
drop index ledger.transaction_by_created_at;

reset role;
