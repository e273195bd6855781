import { z } from 'zod'

/** The kinds of changes that can require the approval of a second administrator. */
export const CHANGE_KINDS = [
  'settings',
  'payment-option',
  'mail-template',
  'announcement',
  'admin-invitation',
  'admin-status',
  'admin-roles',
  'admin-deletion',
  'admin-mfa-reset',
  'admin-password-reset',
  'claim',
  'attestation',
  'plan',
  'deposit-approval',
  'withdrawal-approval',
  'deposit-reversal',
  'withdrawal-reversal',
  'wallet-funding',
  'wallet-adjustment',
  'reserve-funding',
  'reserve-withdrawal',
  'reserve-sweep',
  'investment-denial',
  'signing-key-rotation',
  'balance-import',
  'ledger',
] as const
export const ChangeKind = z.enum(CHANGE_KINDS)
export type ChangeKind = z.infer<typeof ChangeKind>
