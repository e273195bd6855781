import type { AuditAction } from '@cairn/gateway-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { ATTEMPTED, type AuditEntry, recordAudit, SUCCESS } from './audit.ts'
import { toHttpFailure } from './failure.ts'
import type { RefusalRecorder } from './refusal-recorder.ts'
import type { AuditDetails, Exchange, Route } from './registry.ts'

const SUBJECT_MAX = 80

interface Recorders {
  db: Database
  clock: Clock
  refusals: RefusalRecorder
  log: Logger
}

/**
 * Runs the handler of an audited route and records the result. For administrators, a first row
 * records the attempt before anything changes. Refusals of callers who are not administrators are
 * recorded at a limited rate, so that callers without an account cannot fill the table.
 */
export async function runAudited<Answer>(
  recorders: Recorders,
  { route, exchange }: { route: Route; exchange: Exchange },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { audit } = route.options
  if (audit === null) return await run()
  const call = openAuditedCall(recorders, { action: audit, exchange })
  if (exchange.caller?.role === 'admin') await call.attempt()
  try {
    const answer = await run()
    await call.record(SUCCESS)
    return answer
  } catch (error) {
    await call.recordFailure(error)
    throw error
  }
}

function openAuditedCall(
  { db, clock, refusals, log }: Recorders,
  { action, exchange }: { action: AuditAction; exchange: Exchange },
) {
  const { caller, ip, requestId } = exchange
  const actorId = caller?.userId ?? null
  const subject = findSubject(exchange)
  const entry: AuditEntry = { actorId, action, subject, ip, requestId, details: {} }
  let isNoted = false
  let attemptId: string | null = null

  const addDetails = ({ subject, actor, ...details }: AuditDetails): void => {
    isNoted = true
    if (subject !== undefined) entry.subject = subject
    // The user is unknown at the start of a login. The handler sets the actor when it has found the
    // user.
    if (actor !== undefined) entry.actorId = actor
    Object.assign(entry.details, details)
  }
  // The casts are safe because every detail of `Exchange` is a field of `AuditDetails`.
  exchange.note = (details) => addDetails(details as AuditDetails)
  const attempt = async (): Promise<void> => {
    if (attemptId !== null) return
    attemptId = await recordAudit(db, { ...entry, result: ATTEMPTED }, exchange.nowMs)
  }
  exchange.attempt = async (details) => {
    addDetails(details as AuditDetails)
    await attempt()
  }
  /**
   * Writes the result. If the attempt is already recorded, an error of this function is only
   * logged, because the caller must get the answer of the handler.
   */
  const record = async (result: string): Promise<void> => {
    const row = { ...entry, result, attemptId }
    // Rows are listed by their ids, and the ids of one millisecond are in random order.
    const afterAttemptMs = Math.max(clock.now(), exchange.nowMs + 1)
    try {
      await recordAudit(db, row, attemptId === null ? exchange.nowMs : afterAttemptMs)
    } catch (error) {
      if (attemptId === null) throw error
      log.error(
        { err: error, requestId, action, result },
        'the result of an attempt was not stored',
      )
    }
  }
  const recordFailure = async (error: unknown): Promise<void> => {
    const { code, status } = toHttpFailure(error)
    const isServerFailure = status >= 500
    // The caller gets an error, although the change may have been made.
    if (isServerFailure && isNoted) entry.details.isAnswered = false
    const hasChanged = isServerFailure && isNoted && caller !== null
    if (attemptId !== null || hasChanged) return await record(code)
    await refusals.record({ ...entry, result: code }, exchange.nowMs)
  }
  return { attempt, record, recordFailure }
}

/**
 * Returns the subject of the audit row. It is the first parameter of the path, and therefore an id or
 * a key.
 */
function findSubject({ ctx }: Exchange): string | null {
  const params: Record<string, string> = ctx.params ?? {}
  return Object.values(params)[0]?.slice(0, SUBJECT_MAX) ?? null
}
