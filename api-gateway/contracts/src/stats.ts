import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Investment, InvestmentProgress } from './investments.ts'
import { MoneyOut } from './money.ts'
import { Transaction } from './transactions.ts'
import { WalletAmounts } from './users.ts'

export const UserStats = z.object({
  /** The running investments. */
  investments: z.array(InvestmentProgress),
  /** Approved deposits before their fees. */
  total_deposit: MoneyOut,
  /** Available money. */
  wallet: WalletAmounts,
  /** Money held by pending withdrawals. */
  held: WalletAmounts,
  /** Principal of the running investments. */
  invested: MoneyOut,
  /** Number of all investments. */
  total_investment: z.int(),
  /** Principal of all investments. */
  total_amount: MoneyOut,
  /** All credited profit. */
  total_profit: MoneyOut,
  /** All credited referral bonuses. */
  total_referral: MoneyOut,
})
export type UserStats = z.infer<typeof UserStats>

export const AdminStats = z.object({
  users: z.int(),
  total_balance: MoneyOut,
  total_profit: MoneyOut,
  total_referral_balance: MoneyOut,
  pending_transactions: z.int(),
  active_investments: z.int(),
})
export type AdminStats = z.infer<typeof AdminStats>

export const getMyStats = endpoint({
  method: 'GET',
  path: '/stats/users',
  access: 'user',
  response: z.object({ stats: UserStats }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const getAdminStats = endpoint({
  method: 'GET',
  path: '/stats/admin',
  permission: 'overview.read',
  response: z.object({
    stats: AdminStats,
    latest_transactions: z.array(Transaction),
    latest_investments: z.array(Investment),
    /** The five oldest pending transactions. */
    pending_transactions: z.array(Transaction),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
