import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'
import { MoneyOut } from './money.ts'

export const WithdrawalLimit = z.object({
  /** A UTC day or UTC month. */
  period: z.enum(['day', 'month']),
  limit: MoneyOut,
  /** The remaining amount; declined and cancelled requests do not count. */
  left: MoneyOut,
  renewsAt: Instant,
})
export type WithdrawalLimit = z.infer<typeof WithdrawalLimit>

/** Empty if there is no limit. */
export const listMyWithdrawalLimits = endpoint({
  method: 'GET',
  path: '/users/me/withdrawal_limits',
  access: 'user',
  response: z.object({ limits: z.array(WithdrawalLimit) }),
  failures: [...LEDGER_QUERY_FAILURES],
})
