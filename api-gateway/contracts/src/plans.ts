import { z } from 'zod'
import {
  APPROVER_FAILURE,
  CREATION_FAILURES,
  changeReason,
  changeReasonBody,
  SECOND_PERSON_FAILURES,
} from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareNotFound, LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import {
  createOptionalTextField,
  createWholeNumberField,
  Flag,
  Instant,
  identity,
  idParams,
} from './fields.ts'
import { MoneyIn, MoneyOut, PercentIn, PercentOut } from './money.ts'
import { declareRefusal } from './refusal-failures.ts'
import { Person } from './users.ts'

export const TimingParameter = z.enum(['hours', 'days'], 'Choose hours or days')
export type TimingParameter = z.infer<typeof TimingParameter>

const termsChanged = declareRefusal('termsChanged')

export const Plan = z.object({
  ...identity,
  name: z.string().nullable(),
  planDuration: z.int(),
  timingParameter: TimingParameter,
  minDeposit: MoneyOut,
  /** The largest permitted deposit; null for no upper limit. */
  maxDeposit: MoneyOut.nullable(),
  /** The profit of the whole term, in per cent of the deposit. */
  percentage: PercentOut,
  referalBonus: PercentOut,
  returnPrincipal: z.boolean(),
  /**
   * The number of the plan version. Each edit creates a new version; an investment refers to the
   * version that its owner saw.
   */
  version: z.int(),
  createdAt: Instant,
})
export type Plan = z.infer<typeof Plan>

const OptionalMoney = z.union(
  [z.literal('').transform(() => null), z.null(), MoneyIn],
  'Enter an amount greater than zero with at most two decimals, or leave the field empty',
)
const OptionalPercent = z.union(
  [z.literal('').transform(() => 0), PercentIn],
  'Enter a percentage up to 1000 with at most four decimals, or leave the field empty',
)

const fields = {
  name: createOptionalTextField('Name', 120),
  planDuration: createWholeNumberField('Duration', { min: 1, max: 100_000 }),
  timingParameter: TimingParameter,
  minDeposit: MoneyIn,
  maxDeposit: OptionalMoney.optional().transform((value) => value ?? null),
  percentage: PercentIn,
  referalBonus: OptionalPercent.optional().transform((value) => value ?? 0),
  returnPrincipal: Flag,
}
export const PlanForm = z.strictObject(fields)
export type PlanForm = z.input<typeof PlanForm>

/**
 * The plan must name its source of return if its annual rate is above the limit in the settings.
 */
const source = {
  sourceOfReturn: createOptionalTextField('Source of the return', 1_000).optional(),
  ...changeReason,
}
export const PlanRequest = z.strictObject({ ...fields, ...source })
export type PlanRequest = z.input<typeof PlanRequest>

export const AdminPlan = Plan.extend({
  isArchived: z.boolean(),
  /**
   * The gain of the term extrapolated to a year, in whole per cent, rounded up. Null if the plan
   * returns less than the deposit, because the rate would hide the loss.
   */
  annualRate: z.number().nullable(),
  isRateWarned: z.boolean(),
  source: z
    .object({
      /** The source of return; null if the plan was created through the API without a source. */
      text: z.string().nullable(),
      statedBy: Person.optional(),
      statedAt: Instant,
      approvedBy: Person.optional(),
      approvedAt: Instant.nullable(),
    })
    .nullable(),
})
export type AdminPlan = z.infer<typeof AdminPlan>

/** Lists all plans, including archived plans. */
export const listAllPlans = declareEndpoint({
  method: 'GET',
  path: '/admin/plans',
  permission: 'plans.read',
  response: z.object({ plans: z.array(AdminPlan) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** The version that the page showed. The answer is 409 if the plan has changed since then. */
const seenVersion = z.strictObject({
  version: createWholeNumberField('version', { min: 1, max: 1_000_000 }).optional(),
})

/** Lists the plans on offer. The list is public. */
export const listPlans = declareEndpoint({
  method: 'GET',
  path: '/plans',
  access: 'anyone',
  response: z.object({ plans: z.array(Plan) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const createPlan = declareEndpoint({
  method: 'POST',
  path: '/plans',
  permission: 'plans.write',
  request: z.strictObject({ body: PlanRequest }),
  status: 201,
  isIdempotent: true,
  response: z.object({ plan: Plan }),
  failures: [...CREATION_FAILURES, APPROVER_FAILURE, ...LEDGER_COMMAND_FAILURES],
})

/**
 * Changes a plan. Fields that are not sent keep their values. The version is in the query, because
 * release 0.9.0 refuses a body with an unknown field.
 */
export const editPlan = declareEndpoint({
  method: 'PATCH',
  path: '/plans/:id',
  permission: 'plans.write',
  request: z.strictObject({
    params: idParams,
    query: seenVersion,
    body: z.strictObject({
      name: createOptionalTextField('Name', 120).optional(),
      planDuration: fields.planDuration.optional(),
      timingParameter: TimingParameter.optional(),
      minDeposit: MoneyIn.optional(),
      maxDeposit: OptionalMoney.optional(),
      percentage: PercentIn.optional(),
      referalBonus: OptionalPercent.optional(),
      returnPrincipal: Flag.optional(),
      ...source,
    }),
  }),
  response: z.object({ plan: Plan }),
  failures: [
    declareNotFound('plan'),
    termsChanged,
    ...SECOND_PERSON_FAILURES,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

/** Archives the plan. Running investments keep their terms. The audit log contains the reason. */
export const archivePlan = declareEndpoint({
  method: 'DELETE',
  path: '/plans/:id',
  permission: 'plans.write',
  request: z.strictObject({ params: idParams, query: seenVersion, body: changeReasonBody }),
  status: 204,
  response: z.null(),
  failures: [declareNotFound('plan'), termsChanged, APPROVER_FAILURE, ...LEDGER_COMMAND_FAILURES],
})

export const exportPlans = declareCsvEndpoint({
  path: '/admin/plans.csv',
  permission: 'plans.read',
  request: z.strictObject({
    query: z.strictObject({ show: z.enum(['offered', 'archived']).optional() }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
