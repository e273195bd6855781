-- scope: site
-- What each investor has in the three wallets, by which lists of users are sorted. A follower of the
-- log sums it; the amounts shown come from the ledger. The previous release sorts by
-- `platform.investor_balance`, which has only the Wallet Balance, and its follower keeps that table.

set role cairn_owner;

create table platform.investor_available (
  investor_id text collate "C" not null,
  available_minor bigint not null,
  constraint investor_available_pkey primary key (investor_id)
);
grant select, insert, update on platform.investor_available to cairn_gateway_worker;

reset role;
