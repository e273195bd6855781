import type { Plan as LedgerPlan, PlanTerms, Refused } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createInvalidFieldFailure,
  createNotFoundFailure,
  HttpFailure,
} from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { type RequestDependencies, requestChange } from '../change-requests/index.ts'
import { pickTerms } from './plan.ts'
import { createPlanChange, type PlanPayload } from './plan-change.ts'
import { storeSource } from './plan-source.ts'

export interface PlanDefinition {
  planId: string
  terms: PlanTerms
  /** The plan that the caller read; missing for a new plan. */
  known?: LedgerPlan
  source: PlanPayload['source']
  reason: string | null
}

/**
 * Defines the next version of a plan. If the ledger requires a second administrator, stores a
 * change request and throws 409. If the plan has changed since the caller read it, also throws 409.
 */
export async function definePlan(
  deps: RequestDependencies,
  exchange: Exchange,
  { planId, terms, known, source, reason }: PlanDefinition,
): Promise<LedgerPlan> {
  const { userId } = getCaller(exchange)
  const data = { planId, terms, ...(known === undefined ? {} : { seen: known.version }) }
  const command = { type: 'DefinePlan', data, effectiveAt: null } as const
  const answer = await deps.ledger.submit({
    ...command,
    actor: `admin:${userId}`,
    key: exchange.key,
    requestId: exchange.requestId,
  })
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.outcome === 'refused') {
    if (answer.code !== 'SECOND_APPROVER_NEEDED') throw toPlanFailure(answer) ?? toFailure(answer)
    const payload = { ...command, source }
    const fields = ['percentage']
    const proposal = { payload, reason, fields, errors: 'list' } as const
    throw await requestChange(deps, exchange, { definition: createPlanChange(deps), proposal })
  }
  const { event } = answer
  const version = Number(event.data.version)
  const texts = { ...(source && { source: source.text }), ...(reason !== null && { reason }) }
  const values =
    known === undefined ? terms : { name: terms.name, before: pickTerms(known), after: terms }
  exchange.note({ subject: planId, ...values, ...texts })
  if (source !== null) {
    const stated = { planId, version, text: source.text, statedBy: userId }
    await storeSource(deps.db, { ...stated, nowMs: exchange.nowMs })
  }
  return { ...terms, planId, version, definedAt: event.effectiveAt }
}

export async function getPlan(
  deps: Pick<Dependencies, 'ledger'>,
  planId: string,
  { includeArchived } = { includeArchived: false },
): Promise<LedgerPlan> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived })
  const plan = plans.find((item) => item.planId === planId)
  if (plan === undefined) throw createNotFoundFailure('There is no such plan')
  return plan
}

/**
 * Throws if the version of the plan that the caller saw is not the newest version. `undefined`
 * accepts any version.
 */
export function requirePlanVersion({ version }: LedgerPlan, seen: number | undefined): void {
  if (seen === undefined || seen === version) return
  const message = 'The terms of this plan have changed; look at them again'
  throw new HttpFailure(409, 'TERMS_CHANGED', message)
}

function toPlanFailure({ code, message, details }: Refused) {
  return code === 'PLAN_INVALID'
    ? createInvalidFieldFailure(details.field ?? 'plan', message)
    : null
}
