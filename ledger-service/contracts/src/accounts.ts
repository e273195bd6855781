import { z } from 'zod'
import type { Id } from './ids.ts'
import { addAsset, getAsset, removeAsset } from './proof/asset-code.ts'

/** The wallets whose money an investor can invest or withdraw. */
export const Wallet = z.enum(['balance', 'profit', 'referral'])
export type Wallet = z.infer<typeof Wallet>

export const OPERATOR_ACCOUNTS = [
  'reserve',
  'committed',
  'fees',
  'marketing',
  'adjustments',
  'income',
  'opening',
] as const
export type OperatorAccount = (typeof OPERATOR_ACCOUNTS)[number]

/** The chart of accounts: the name of each account. A positive posting is a credit. */
export const account = {
  getAvailableCode: (investorId: Id, wallet: Wallet): string => `investor:${investorId}:${wallet}`,
  getHeldCode: (investorId: Id, wallet: Wallet): string => `investor:${investorId}:held:${wallet}`,
  getPrincipalCode: (investorId: Id): string => `investor:${investorId}:principal`,
  getCashCode: (option: string): string => `cash:${option}`,
  getOperatorCode: (name: OperatorAccount): string => name,
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

/** Returns the investor who owns the account, or null for an account of the operator. */
export function getInvestorId(code: string): Id | null {
  const [owner, investorId = null] = code.split(':')
  return owner === 'investor' ? investorId : null
}

/**
 * Returns the account kind, followed by the asset if it is not the currency of the ledger:
 * `cash@EUR/2` for `cash:<option>@EUR/2`.
 */
export function getTotalName(code: string): string {
  const asset = getAsset(code)
  const kind = getAccountKind(code)
  return asset === null ? kind : addAsset(kind, asset)
}

/** Returns `held:profit` for `investor:<id>:held:profit`, and `cash` for `cash:<option>`. */
export function getAccountKind(account: string): AccountKind {
  const code = removeAsset(account)
  const kind = code.startsWith('investor:')
    ? code.slice(code.indexOf(':', 'investor:'.length) + 1)
    : code.startsWith('cash:')
      ? 'cash'
      : code
  const known = ACCOUNT_KINDS.find((name) => name === kind)
  if (known === undefined) throw new Error(`unknown account code: ${code}`)
  return known
}
