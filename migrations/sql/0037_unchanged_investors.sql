-- The last event of an investor was written with every event and read by nobody. Without it a row that an
-- event leaves as it is need not be written.

set role cairn_owner;

alter table ledger.investor drop column last_seq;

reset role;
