-- What administrators credited to the wallets of an investor, by effective time, for the chart of
-- the net worth. A follower of the log adds to it; the previous release neither reads nor writes it.

set role cairn_owner;

create table platform.investor_credit_quarter (
  investor_id text collate "C" not null,
  at timestamptz not null,
  -- Fundings and corrections. A correction that takes money away is negative.
  credited_minor bigint not null,
  constraint investor_credit_quarter_pkey primary key (investor_id, at)
);
grant select, insert, update on platform.investor_credit_quarter to cairn_gateway_worker;

reset role;
