-- The sums of each account kind and asset after the first `size` events, every 50,000 events. A past
-- trial balance continues from the newest of them. Without a row, the query sums more postings. The
-- rows can be computed from the postings: `verify` compares them, and `rebuild` removes wrong ones.

set role cairn_owner;

create table ledger.past_total (
  ledger_id int not null,
  size bigint not null,
  -- Minor units as strings, because a JSON number may not be exact.
  totals jsonb not null,
  constraint past_total_pkey primary key (ledger_id, size),
  constraint past_total_size_check check (size > 0)
);
grant insert, delete on ledger.past_total to cairn_ledger;

reset role;
