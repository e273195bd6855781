-- The index of postings by event covers only what a vacuum has summarized. By default a table is
-- vacuumed after it has grown by a fifth, and until then each query for a part of the log reads all
-- new postings. With ten million events, these can be two million.

set role cairn_owner;

alter table ledger.posting set (
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 200000
);

reset role;
