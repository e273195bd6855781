import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED } from './failures.ts'
import { Investment, InvestmentProgress } from './investments.ts'
import { MoneyOut } from './money.ts'
import { Transaction } from './transactions.ts'
import { WalletAmounts } from './users.ts'

export const UserStats = z.object({
  /** The running ones. */
  investments: z.array(InvestmentProgress),
  /** Approved deposits before their fee. */
  total_deposit: MoneyOut,
  /** What can be used now. */
  wallet: WalletAmounts,
  /** Held by pending withdrawals. */
  held: WalletAmounts,
  /** Principal of running investments. */
  invested: MoneyOut,
  /** The count of all investments. */
  total_investment: z.int(),
  /** The principal of all investments. */
  total_amount: MoneyOut,
  /** Profit ever credited. */
  total_profit: MoneyOut,
  /** Referral bonuses ever credited. */
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
  failures: [...LEDGER_ASKED],
})

export const getAdminStats = endpoint({
  method: 'GET',
  path: '/stats/admin',
  access: 'admin',
  response: z.object({
    stats: AdminStats,
    latest_transactions: z.array(Transaction),
    latest_investments: z.array(Investment),
    /** The five that wait longest. */
    pending_transactions: z.array(Transaction),
  }),
  failures: [...LEDGER_ASKED],
})
