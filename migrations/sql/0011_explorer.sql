-- What auditors look for, where no other index finds it.

set role cairn_owner;

-- What running investments end when. Neither column changes while one runs, so accruals stay cheap.
create index investment_by_end on ledger.investment (ledger_id, expires_at) where status = 'active';

-- Events about an investor that post nothing to the investor's accounts: few, next to the others.
create index event_by_standing on ledger.event (
  ledger_id, substring(encode(bytes, 'escape') from '"investorId":"([0-9a-z]+)"'), seq
) where type in ('InvestorActivated', 'InvestorSuspended', 'InvestorClosed');

reset role;
