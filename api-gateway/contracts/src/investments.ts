import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import {
  ACCOUNT_HELD,
  failure,
  LEDGER_ASKED,
  LEDGER_TOLD,
  noSuch,
  secondNeeded,
  tooLittle,
} from './failures.ts'
import { byId, Id, Instant, identity, idParams, requiredText } from './fields.ts'
import { exportQuery, InvestmentMeta, listQuery } from './lists.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { TimingParameter } from './plans.ts'
import { RiskAcceptance } from './risk.ts'
import { Person } from './users.ts'

export const InvestmentStatus = z.enum(['active', 'completed', 'denied'])
export type InvestmentStatus = z.infer<typeof InvestmentStatus>

const planRef = z.object({ ...identity, name: z.string().nullable() })

export const Investment = z.object({
  ...identity,
  reference: z.string(),
  /** Admin lists only. */
  user: Person.optional(),
  plan: planRef,
  amount: MoneyOut,
  /** Credited so far. */
  profit: MoneyOut,
  /** All that the term promises. */
  expectedProfit: MoneyOut,
  status: InvestmentStatus,
  returnPrincipal: z.boolean(),
  createdAt: Instant,
  expiryDate: Instant,
  endedAt: Instant.nullable(),
})
export type Investment = z.infer<typeof Investment>

export const InvestmentProgress = z.object({
  ...identity,
  /** Units ended, of all units of the term. */
  currentLevel: z.int(),
  totalDuration: z.int(),
  timingParameter: TimingParameter,
  /** Of the term, at most 100: not the plan's percentage. */
  percentage: z.number().min(0).max(100),
  nextProfitAt: Instant.nullable(),
  investment: Investment,
})
export type InvestmentProgress = z.infer<typeof InvestmentProgress>

const query = z.strictObject({ ...listQuery, status: InvestmentStatus.optional() })
const page = z.object({ investments: z.array(Investment), meta: InvestmentMeta })

export const listInvestments = endpoint({
  method: 'GET',
  path: '/investments',
  access: 'admin',
  request: z.strictObject({ query: query.extend({ user: Id.optional() }) }),
  response: page,
  failures: [failure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'), ...LEDGER_ASKED],
})

export const listMyInvestments = endpoint({
  method: 'GET',
  path: '/users/me/investments',
  access: 'user',
  request: z.strictObject({ query }),
  response: page,
  failures: [...LEDGER_ASKED],
})

/** Credits what has fallen due on one's own investments and answers the running ones. */
export const refreshMyInvestments = endpoint({
  method: 'PATCH',
  path: '/investments/mine',
  access: 'user',
  response: z.object({
    investments: z.array(InvestmentProgress),
    /** How many investments were brought up to date. */
    refreshed: z.int(),
  }),
  failures: [...LEDGER_TOLD],
})

export const InvestmentForm = z.strictObject({
  plan: z.string('Please select a plan first').min(1, 'Please select a plan first').pipe(Id),
  /** Must be oneself when sent. */
  user: Id.optional(),
  amount: MoneyIn,
  /** The plan's version on the investor's screen; another one in force is a conflict. */
  planVersion: z.int().min(1).optional(),
  /** The version of the risk warning that was accepted; another one in force is a conflict. */
  riskVersion: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})
export type InvestmentForm = z.input<typeof InvestmentForm>

export const openMyInvestment = endpoint({
  method: 'POST',
  path: '/users/me/investments',
  access: 'investor',
  request: z.strictObject({ body: InvestmentForm }),
  isIdempotent: true,
  status: 201,
  response: z.object({ investment: Investment }),
  failures: [
    failure(403, 'NOT_YOURS', 'You can only invest for yourself'),
    ACCOUNT_HELD,
    failure(409, 'TERMS_CHANGED', 'The terms of this plan have changed; look at them again'),
    failure(409, 'RISK_TEXT_CHANGED', 'The risk warning has changed; read it again'),
    failure(422, 'PLAN_UNKNOWN', 'There is no such plan'),
    failure(422, 'PLAN_CLOSED', 'This plan takes no new investments'),
    failure(
      422,
      'AMOUNT_BELOW_MINIMUM',
      'The selected plan requires a minimum deposit of {amount}',
    ),
    failure(422, 'AMOUNT_ABOVE_MAXIMUM', "You can't invest more than {amount} on this plan"),
    tooLittle('Insufficient wallet balance'),
    failure(422, 'FULLY_SUBSCRIBED', 'This plan is fully subscribed'),
    ...LEDGER_TOLD,
  ],
})

/** What happened, or will happen as the terms say, to one investment. */
export const InvestmentStep = z.object({
  kind: z.enum(['opened', 'accrued', 'matured', 'denied', 'cancelled']),
  at: Instant,
  /** Profit credited by it; the principal where the investment opens or ends. */
  amount: MoneyOut,
  /** Profit credited up to then. */
  profit: MoneyOut,
  /** The number of the event in the log; null: not yet. */
  seq: z.string().nullable(),
})

/** For its owner and for administrators. */
export const getInvestment = endpoint({
  method: 'GET',
  path: '/investments/:id',
  access: 'session',
  request: byId,
  response: z.object({
    investment: Investment,
    progress: InvestmentProgress,
    timeline: z.array(InvestmentStep),
    /** True when steps between the first and the newest 500 are left out. */
    isCut: z.boolean(),
    /** What comes next: at most the next twelve units. */
    upcoming: z.array(z.object({ at: Instant, amount: MoneyOut })),
    /** Until when its owner may take it back; null: not offered, or over. */
    cancelUntil: Instant.nullable(),
    reason: z.string().nullable(),
    /** Null: it was asked for without one. */
    riskAcceptance: RiskAcceptance.nullable(),
  }),
  failures: [noSuch('investment'), ...LEDGER_ASKED],
})

/**
 * Principal and credited profit stay with the investor; what was promised beyond goes back. From the
 * approval threshold on the first call is recorded and another administrator's ends the investment.
 */
export const denyInvestment = endpoint({
  method: 'PATCH',
  path: '/investments/:id/status',
  access: 'admin',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      status: z.literal('denied', 'An investment can only be denied'),
      reason: requiredText('Reason', 500),
    }),
  }),
  response: z.object({ investment: Investment }),
  failures: [
    noSuch('investment'),
    failure(409, 'INVESTMENT_NOT_ACTIVE', 'This investment is already {status}'),
    secondNeeded('Recorded. Another administrator has to end this investment too.'),
    secondNeeded('Another administrator has to end this investment too'),
    ...LEDGER_TOLD,
  ],
})

/** Within the cooling-off time. */
export const cancelMyInvestment = endpoint({
  method: 'POST',
  path: '/users/me/investments/:id/cancel',
  access: 'user',
  request: byId,
  response: z.object({ investment: Investment }),
  failures: [
    noSuch('investment'),
    failure(409, 'INVESTMENT_NOT_ACTIVE', 'This investment is already {status}'),
    failure(409, 'COOLING_OFF_OVER', 'The time to take this investment back is over'),
    tooLittle('Its profit has been withdrawn already'),
    ...LEDGER_TOLD,
  ],
})

const csvQuery = z.strictObject({ ...exportQuery, status: InvestmentStatus.optional() })

export const exportInvestments = csvEndpoint({
  path: '/investments.csv',
  access: 'admin',
  request: z.strictObject({ query: csvQuery.extend({ user: Id.optional() }) }),
  failures: [failure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'), ...LEDGER_ASKED],
})

export const exportMyInvestments = csvEndpoint({
  path: '/users/me/investments.csv',
  access: 'user',
  request: z.strictObject({ query: csvQuery }),
  failures: [...LEDGER_ASKED],
})
