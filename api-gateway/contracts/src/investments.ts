import { z } from 'zod'
import { BENEFICIARY_FAILURE, SECOND_PERSON_FAILURES } from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  INVESTOR_NOT_ACTIVE,
  LEDGER_COMMAND_FAILURES,
  LEDGER_QUERY_FAILURES,
  MONEY_REQUESTS_USED,
} from './failures.ts'
import {
  byId,
  createRequiredTextField,
  createWholeNumberField,
  Id,
  Instant,
  identity,
  idParams,
} from './fields.ts'
import { exportQuery, InvestmentMeta, listQuery } from './lists.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { TimingParameter } from './plans.ts'
import { declareRefusal } from './refusal-failures.ts'
import { RiskAcceptance } from './risk.ts'
import { Person } from './users.ts'

export const InvestmentStatus = z.enum(['active', 'completed', 'denied'])
export type InvestmentStatus = z.infer<typeof InvestmentStatus>

const planRef = z.object({ ...identity, name: z.string().nullable() })

export const Investment = z.object({
  ...identity,
  reference: z.string(),
  /** The investor; only in lists for administrators. */
  user: Person.optional(),
  plan: planRef,
  amount: MoneyOut,
  /** Profit credited so far. */
  profit: MoneyOut,
  /** Profit that the whole term promises. */
  expectedProfit: MoneyOut,
  status: InvestmentStatus,
  /**
   * The id of the investor who cancelled the investment in the cooling-off period; null for an
   * investment that was not cancelled. A cancelled investment has the status `denied`.
   */
  cancelledBy: Id.nullable(),
  returnPrincipal: z.boolean(),
  createdAt: Instant,
  expiryDate: Instant,
  endedAt: Instant.nullable(),
})
export type Investment = z.infer<typeof Investment>

export const InvestmentProgress = z.object({
  ...identity,
  /** Completed units of the term. */
  currentLevel: z.int(),
  totalDuration: z.int(),
  timingParameter: TimingParameter,
  /** Completed share of the term in per cent. It is not the profit percentage of the plan. */
  percentage: z.number().min(0).max(100),
  nextProfitAt: Instant.nullable(),
  /** The profit that is credited at this time. */
  nextProfit: MoneyOut.nullable(),
  investment: Investment,
})
export type InvestmentProgress = z.infer<typeof InvestmentProgress>

const query = z.strictObject({ ...listQuery, status: InvestmentStatus.optional() })
const page = z.object({ investments: z.array(Investment), meta: InvestmentMeta })

export const listInvestments = declareEndpoint({
  method: 'GET',
  path: '/investments',
  permission: 'investments.read',
  request: z.strictObject({ query: query.extend({ user: Id.optional() }) }),
  response: page,
  failures: [
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const listMyInvestments = declareEndpoint({
  method: 'GET',
  path: '/users/me/investments',
  access: 'user',
  request: z.strictObject({ query }),
  response: page,
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Credits the profit that is due on the caller's investments, and returns the running investments.
 */
export const refreshMyInvestments = declareEndpoint({
  method: 'PATCH',
  path: '/investments/mine',
  access: 'user',
  response: z.object({
    investments: z.array(InvestmentProgress),
    /** Number of investments to which profit was credited. */
    refreshed: z.int(),
  }),
  failures: [...LEDGER_COMMAND_FAILURES],
})

export const InvestmentForm = z.strictObject({
  plan: z.string('Please select a plan first').min(1, 'Please select a plan first').pipe(Id),
  /** The caller's own id; any other id is refused. */
  user: Id.optional(),
  amount: MoneyIn,
  /** The plan version that the page showed. The answer is 409 if this version is not in force. */
  planVersion: createWholeNumberField('planVersion', { min: 1, max: 999_999_999 }).optional(),
  /**
   * The version of the accepted risk warning. The answer is 409 if this version is not in force.
   */
  riskVersion: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})
export type InvestmentForm = z.input<typeof InvestmentForm>

export const openMyInvestment = declareEndpoint({
  method: 'POST',
  path: '/users/me/investments',
  access: 'investor',
  request: z.strictObject({ body: InvestmentForm }),
  isIdempotent: true,
  status: 201,
  response: z.object({ investment: Investment }),
  failures: [
    declareFailure(403, 'NOT_YOURS', 'You can only invest for yourself'),
    INVESTOR_NOT_ACTIVE,
    declareRefusal('termsChanged'),
    declareFailure(409, 'RISK_TEXT_CHANGED', 'The risk warning has changed; read it again'),
    declareRefusal('planUnknown', 422),
    declareRefusal('planClosed'),
    declareFailure(
      422,
      'AMOUNT_BELOW_MINIMUM',
      'The selected plan requires a minimum deposit of {amount}',
    ),
    declareFailure(422, 'AMOUNT_ABOVE_MAXIMUM', "You can't invest more than {amount} on this plan"),
    declareRefusal('aboveBalance'),
    declareRefusal('fullySubscribed'),
    MONEY_REQUESTS_USED,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

/** One step of an investment, in the past or expected. */
export const InvestmentStep = z.object({
  kind: z.enum(['opened', 'accrued', 'matured', 'denied', 'cancelled']),
  at: Instant,
  /** Profit credited by this step; the principal if the step opens or ends the investment. */
  amount: MoneyOut,
  /** Profit credited up to and including this step. */
  profit: MoneyOut,
  /** The number of the event in the log; null for an expected step. */
  seq: z.string().nullable(),
})

/**
 * Returns the details of one investment. Only the owner of the investment and administrators
 * receive them.
 */
export const getInvestment = declareEndpoint({
  method: 'GET',
  path: '/investments/:id',
  access: 'session',
  permission: 'investments.read',
  request: byId,
  response: z.object({
    investment: Investment,
    progress: InvestmentProgress,
    timeline: z.array(InvestmentStep),
    /**
     * True if the investment has more than 500 steps. The answer then contains only the first step
     * and the newest 500 steps.
     */
    isCut: z.boolean(),
    /** The expected credits of at most the next twelve units of the term. */
    upcoming: z.array(z.object({ at: Instant, amount: MoneyOut })),
    /** End of the cooling-off period; null if the period has ended or if there is none. */
    cancelUntil: Instant.nullable(),
    /** The reason of a denial; `cancelled_by_user` if the investor cancelled. */
    reason: z.string().nullable(),
    /** The risk warning that the investor accepted; null if the request contained no acceptance. */
    riskAcceptance: RiskAcceptance.nullable(),
  }),
  failures: [declareNotFound('investment'), ...LEDGER_QUERY_FAILURES],
})

/**
 * Ends an investment early. The investor keeps the principal and the credited profit; the operator
 * keeps the rest of the promised profit. Answers 409 `CHANGE_REQUESTED` if the ledger requires a
 * second administrator.
 */
export const denyInvestment = declareEndpoint({
  method: 'PATCH',
  path: '/investments/:id/status',
  permission: 'investments.deny',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      status: z.literal('denied', 'An investment can only be denied'),
      reason: createRequiredTextField('Reason', 500),
    }),
  }),
  response: z.object({ investment: Investment }),
  failures: [
    declareNotFound('investment'),
    declareRefusal('investmentNotActive'),
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

/** Cancels an investment of the caller within the cooling-off period. */
export const cancelMyInvestment = declareEndpoint({
  method: 'POST',
  path: '/users/me/investments/:id/cancel',
  access: 'user',
  request: byId,
  response: z.object({ investment: Investment }),
  failures: [
    declareNotFound('investment'),
    declareRefusal('investmentNotActive'),
    declareRefusal('coolingOffOver'),
    declareRefusal('profitWithdrawn'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

const csvQuery = z.strictObject({ ...exportQuery, status: InvestmentStatus.optional() })

export const exportInvestments = declareCsvEndpoint({
  path: '/investments.csv',
  permission: 'investments.read',
  request: z.strictObject({ query: csvQuery.extend({ user: Id.optional() }) }),
  failures: [
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const exportMyInvestments = declareCsvEndpoint({
  path: '/users/me/investments.csv',
  access: 'user',
  request: z.strictObject({ query: csvQuery }),
  failures: [...LEDGER_QUERY_FAILURES],
})
