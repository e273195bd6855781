import type { Plan as LedgerPlan, PlanTerms, Refused } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure, invalidField, notFound } from '../../platform/http/failure.ts'
import { callerOf, type Exchange } from '../../platform/http/registry.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { deleteDrafts } from './plan-source.ts'

interface Change {
  /** The plan as the caller read it. */
  known: LedgerPlan
  terms: PlanTerms
  /** Writes the data of the new version before the ledger defines it. */
  write?(held: Database, version: number): Promise<void>
}

/** Defines the next version of a plan; 409 if the plan has changed since it was read. */
export async function changePlan(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  exchange: Exchange,
  { known, terms, write }: Change,
): Promise<LedgerPlan> {
  const { planId, version: seen } = known
  return withPlanLock(deps.db, planId, async (held) => {
    requireVersion(await getPlan(deps, planId, { includeArchived: true }), seen)
    await deleteDrafts(held, known)
    await write?.(held, seen + 1)
    return definePlan(deps, exchange, { planId, terms, seen })
  })
}

/**
 * Serialises the changes of a plan across all gateways, so that its stored source fits its terms.
 */
function withPlanLock<T>(
  db: Database,
  planId: string,
  act: (held: Database) => Promise<T>,
): Promise<T> {
  const lock = sql`hashtextextended(${`plan ${planId}`}, 0)`
  return db.connection().execute(async (held) => {
    await sql`select pg_advisory_lock(${lock})`.execute(held)
    try {
      return await act(held)
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(held)
    }
  })
}

export async function definePlan(
  deps: Pick<Dependencies, 'ledger'>,
  exchange: Exchange,
  { planId, terms, seen }: { planId: string; terms: PlanTerms; seen?: number },
): Promise<LedgerPlan> {
  const { event } = await submit(
    deps.ledger,
    {
      type: 'DefinePlan',
      data: { planId, terms, ...(seen === undefined ? {} : { seen }) },
      actor: `admin:${callerOf(exchange).userId}`,
      key: exchange.key,
      requestId: exchange.requestId,
      effectiveAt: null,
    },
    toPlanFailure,
  )
  exchange.note({ subject: planId, ...terms })
  const version = Number(event.data.version)
  return { ...terms, planId, version, definedAt: event.effectiveAt }
}

export async function getPlan(
  deps: Pick<Dependencies, 'ledger'>,
  planId: string,
  { includeArchived } = { includeArchived: false },
): Promise<LedgerPlan> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived })
  const plan = plans.find((item) => item.planId === planId)
  if (plan === undefined) throw notFound('There is no such plan')
  return plan
}

/** Checks the version that the caller saw; undefined accepts any version. */
export function requireVersion({ version }: LedgerPlan, seen: number | undefined): void {
  if (seen === undefined || seen === version) return
  const message = 'The terms of this plan have changed; look at them again'
  throw new HttpFailure(409, 'TERMS_CHANGED', message)
}

function toPlanFailure({ code, message, details }: Refused) {
  return code === 'PLAN_INVALID' ? invalidField(details.field ?? 'plan', message) : null
}
