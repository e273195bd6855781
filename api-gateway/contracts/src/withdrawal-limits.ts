import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED } from './failures.ts'
import { Instant } from './fields.ts'
import { MoneyOut } from './money.ts'

export const WithdrawalLimit = z.object({
  /** Of UTC. */
  period: z.enum(['day', 'month']),
  limit: MoneyOut,
  /** What may still be asked for; requests that were declined or taken back do not count. */
  left: MoneyOut,
  renewsAt: Instant,
})
export type WithdrawalLimit = z.infer<typeof WithdrawalLimit>

/** Empty where there is no limit. */
export const listMyWithdrawalLimits = endpoint({
  method: 'GET',
  path: '/users/me/withdrawal_limits',
  access: 'user',
  response: z.object({ limits: z.array(WithdrawalLimit) }),
  failures: [...LEDGER_ASKED],
})
