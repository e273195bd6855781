import { z } from 'zod'

/** Facts that an administrator must check before deciding on a transaction. */
export const RiskFlag = z.enum([
  'first-withdrawal',
  'new-bank-account',
  'receipt-used-before',
  'hash-used-before',
  'method-ambiguous',
  'name-differs',
  'bank-account-changed',
])
export type RiskFlag = z.infer<typeof RiskFlag>
