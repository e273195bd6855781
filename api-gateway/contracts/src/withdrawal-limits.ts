import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'
import { MoneyOut } from './money.ts'

export const WithdrawalLimit = z.object({
  /** The period of the limit, in UTC. */
  period: z.enum(['day', 'month']),
  limit: MoneyOut,
  /**
   * The amount that is left in the period. Declined and cancelled requests do not reduce this
   * amount.
   */
  left: MoneyOut,
  renewsAt: Instant,
})
export type WithdrawalLimit = z.infer<typeof WithdrawalLimit>

/** Lists the withdrawal limits of the caller. The list is empty if the caller has no limit. */
export const listMyWithdrawalLimits = declareEndpoint({
  method: 'GET',
  path: '/users/me/withdrawal_limits',
  access: 'user',
  response: z.object({ limits: z.array(WithdrawalLimit) }),
  failures: [...LEDGER_QUERY_FAILURES],
})
