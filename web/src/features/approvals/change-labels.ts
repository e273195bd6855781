import type { ChangeKind, ChangeState } from '../changes/index.ts'

/** The name of each kind of change request, in the order of the filter's options. */
export const KIND_LABELS: Readonly<Record<ChangeKind, string>> = {
  settings: 'Settings',
  'payment-option': 'Payment option',
  'mail-template': 'Email template',
  announcement: 'Announcement',
  'admin-invitation': 'Invitation of an administrator',
  'admin-status': 'Status of an administrator',
  'admin-roles': 'Roles of an administrator',
  'admin-deletion': 'Deletion of an administrator',
  'admin-mfa-reset': 'Second factor of an administrator',
  'admin-password-reset': 'Password of an administrator',
  claim: 'Public statement',
  attestation: 'Attestation of assets',
  plan: 'Plan',
  'deposit-approval': 'Deposit',
  'withdrawal-approval': 'Withdrawal',
  'deposit-reversal': 'Reversal of a deposit',
  'withdrawal-reversal': 'Reversal of a withdrawal',
  'wallet-funding': 'Funding of a wallet',
  'wallet-adjustment': 'Adjustment of a wallet',
  'reserve-funding': 'Payment into the reserve',
  'reserve-withdrawal': 'Withdrawal from the reserve',
  'reserve-sweep': 'Transfer of earnings to the reserve',
  'investment-denial': 'Denial of an investment',
  'signing-key-rotation': 'New signing key',
  'balance-import': 'Import of opening balances',
  ledger: 'Ledger of the site',
}

export const STATE_LABELS: Readonly<Record<ChangeState, string>> = {
  pending: 'Waiting for approval',
  approved: 'Approved',
  executed: 'Carried out',
  failed: 'Failed',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}
