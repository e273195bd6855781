-- Events of a transaction that post nothing and may be neither its first nor its last: a declined deposit
-- that is reversed later, and the first of two approvals.

set role cairn_owner;

drop index ledger.event_by_approval;
create index event_without_postings on ledger.event (
  ledger_id, substring(encode(bytes, 'escape') from '"transactionId":"([0-9a-z]+)"'), seq
) where type in (
  'DepositDeclined', 'DepositApprovalRecorded', 'DepositReversalRecorded',
  'WithdrawalApprovalRecorded', 'WithdrawalReversalRecorded'
);

reset role;
