import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, identity } from './fields.ts'
import { InvestmentMeta, listQuery } from './lists.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { TimingParameter } from './plans.ts'
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
  request: z.strictObject({ query }),
  response: page,
})

export const listMyInvestments = endpoint({
  method: 'GET',
  path: '/users/me/investments',
  access: 'user',
  request: z.strictObject({ query }),
  response: page,
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
})

export const InvestmentForm = z.strictObject({
  plan: z.string('Please select a plan first').min(1, 'Please select a plan first').pipe(Id),
  /** Must be oneself when sent. */
  user: Id.optional(),
  amount: MoneyIn,
  /** The plan's version on the investor's screen; another one in force is a conflict. */
  planVersion: z.int().min(1).optional(),
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
})
