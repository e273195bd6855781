import { z } from 'zod'
import type { Id } from './ids.ts'

/** The wallets that an investor can invest or withdraw from. Excludes `held:` and `principal`. */
export const Wallet = z.enum(['balance', 'profit', 'referral'])
export type Wallet = z.infer<typeof Wallet>

export const OPERATOR_ACCOUNTS = [
  'reserve',
  'committed',
  'fees',
  'marketing',
  'adjustments',
  'income',
] as const
export type OperatorAccount = (typeof OPERATOR_ACCOUNTS)[number]

/** The chart of accounts. A credit is positive: it increases what the platform owes or owns. */
export const account = {
  available: (investorId: Id, wallet: Wallet): string => `investor:${investorId}:${wallet}`,
  held: (investorId: Id, wallet: Wallet): string => `investor:${investorId}:held:${wallet}`,
  principal: (investorId: Id): string => `investor:${investorId}:principal`,
  cash: (option: string): string => `cash:${option}`,
  operator: (name: OperatorAccount): string => name,
}

/** The cash account that is used when a command names no payment option. */
export const TREASURY = 'treasury'

export const ACCOUNT_KINDS = [
  'balance',
  'profit',
  'referral',
  'held:balance',
  'held:profit',
  'held:referral',
  'principal',
  'cash',
  ...OPERATOR_ACCOUNTS,
] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** `investor:<id>:held:profit` is of kind `held:profit`, `cash:<option>` of kind `cash`. */
export function kindOf(code: string): AccountKind {
  const kind = code.startsWith('investor:')
    ? code.slice(code.indexOf(':', 'investor:'.length) + 1)
    : code.startsWith('cash:')
      ? 'cash'
      : code
  const known = ACCOUNT_KINDS.find((name) => name === kind)
  if (known === undefined) throw new Error(`unknown account code: ${code}`)
  return known
}
