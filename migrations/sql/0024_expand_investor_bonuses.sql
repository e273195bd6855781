-- scope: site
-- The referral bonuses of an investor, by effective time, for the parts of the gain. A follower of
-- the ledger adds to it; the previous release neither reads nor writes it.

set role cairn_owner;

create table platform.investor_bonus_quarter (
  investor_id text collate "C" not null,
  at timestamptz not null,
  -- Paid bonuses. A bonus that is taken back is negative.
  bonus_minor bigint not null,
  constraint investor_bonus_quarter_pkey primary key (investor_id, at)
);
grant select, insert, update on platform.investor_bonus_quarter to cairn_gateway_worker;

reset role;
