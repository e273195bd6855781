-- What a part of the log moved, without reading all of it. Postings lie in the order of their events, so
-- the smallest and the largest of each range of pages are enough, and cost the writer next to nothing.

set role cairn_owner;

create index posting_by_seq on ledger.posting using brin (seq) with (pages_per_range = 32);

reset role;
