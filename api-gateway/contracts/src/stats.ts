import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'
import { Investment, InvestmentProgress } from './investments.ts'
import { MoneyOut } from './money.ts'
import { Transaction } from './transactions.ts'
import { WalletAmounts } from './users.ts'

export const UserStats = z.object({
  /** The running investments. */
  investments: z.array(InvestmentProgress),
  /** The sum of approved deposits before fees. */
  total_deposit: MoneyOut,
  /** The money available in the wallets. */
  wallet: WalletAmounts,
  /** The money held by pending withdrawals. */
  held: WalletAmounts,
  /** The deposits that wait for a decision. Their amount is in no wallet yet. */
  pending_deposits: z.object({ count: z.int(), amount: MoneyOut }),
  /** The sum of the principal of running investments. */
  invested: MoneyOut,
  /** The number of investments, running and ended. */
  total_investment: z.int(),
  /** The sum of the principal of all investments, running and ended. */
  total_amount: MoneyOut,
  /** The sum of the profit that investments have credited, without fundings by administrators. */
  total_profit: MoneyOut,
  /** The sum of the credited referral bonuses. */
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

/** A kind of work that is waiting for an administrator. */
export const OpenTask = z.object({
  kind: z.enum(['deposits', 'withdrawals', 'users', 'names', 'changes', 'maturities']),
  count: z.int().positive(),
  /** The total amount of the requests; null for a kind of work without amounts. */
  amount: MoneyOut.nullable(),
  /** The time of the oldest request; null if the time is not recorded. */
  oldestAt: Instant.nullable(),
})
export type OpenTask = z.infer<typeof OpenTask>

export const getMyStats = declareEndpoint({
  method: 'GET',
  path: '/stats/users',
  access: 'user',
  response: z.object({ stats: UserStats }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const getAdminStats = declareEndpoint({
  method: 'GET',
  path: '/stats/admin',
  permission: 'overview.read',
  response: z.object({
    stats: AdminStats,
    latest_transactions: z.array(Transaction),
    /** The five newest transactions that are not pending. Release 0.1.0 does not send them. */
    settled_transactions: z.array(Transaction).optional(),
    latest_investments: z.array(Investment),
    /** The seven oldest pending transactions. */
    pending_transactions: z.array(Transaction),
    /** The kinds of work with open tasks. The kind with the oldest task comes first. */
    tasks: z.array(OpenTask),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
