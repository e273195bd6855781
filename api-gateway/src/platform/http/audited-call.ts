import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { ATTEMPTED, type AuditEntry, recordAudit, SUCCESS } from './audit.ts'
import { toHttpFailure } from './failure.ts'
import type { RefusalRecorder } from './refusal-recorder.ts'
import type { Exchange, Route } from './registry.ts'

const SUBJECT_MAX = 80

interface Recorders {
  db: Database
  clock: Clock
  refusals: RefusalRecorder
  log: Logger
}

/**
 * Runs the handler of an audited route and records the result. For an administrator, and for any
 * handler that calls `exchange.attempt`, the attempt is committed before the act: if that fails,
 * nothing happens, and if the process ends, the attempt remains. The result, also a refusal or a
 * failure, is a second row. Other calls have one row after a success; their refusals change nothing
 * and are recorded at a limited rate, so that strangers cannot fill the table.
 */
export async function runAudited<Answer>(
  recorders: Recorders,
  { route, exchange }: { route: Route; exchange: Exchange },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { audit } = route.options
  if (audit === null) return await run()
  const call = openAudit(recorders, { action: audit, exchange })
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

function openAudit(
  { db, clock, refusals, log }: Recorders,
  { action, exchange }: { action: string; exchange: Exchange },
) {
  const { caller, ip, requestId } = exchange
  const actorId = caller?.userId ?? null
  const subject = findSubject(exchange)
  const entry: AuditEntry = { actorId, action, subject, ip, requestId, details: {} }
  let isNoted = false
  let attemptId: string | null = null

  exchange.note = ({ subject, actor, ...details }) => {
    isNoted = true
    if (subject !== undefined) entry.subject = subject
    // A login starts without a user, so its handler supplies the actor.
    if (actor !== undefined) entry.actorId = actor
    Object.assign(entry.details, details)
  }
  const attempt = async (): Promise<void> => {
    if (attemptId !== null) return
    attemptId = await recordAudit(db, { ...entry, result: ATTEMPTED }, exchange.nowMs)
  }
  exchange.attempt = async (details) => {
    exchange.note(details)
    await attempt()
  }
  /**
   * After an attempt the caller must get the real answer, so a result that cannot be stored is only
   * logged.
   */
  const record = async (result: string): Promise<void> => {
    const row = { ...entry, result, attemptId }
    try {
      await recordAudit(db, row, attemptId === null ? exchange.nowMs : clock.now())
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
    // The change may have been made although its caller got an error.
    if (isServerFailure && isNoted) entry.details.isAnswered = false
    const hasChanged = isServerFailure && isNoted && caller !== null
    if (attemptId !== null || hasChanged) return await record(code)
    await refusals.record({ ...entry, result: code }, exchange.nowMs)
  }
  return { attempt, record, recordFailure }
}

/** The object in the path of the call, until the handler names one. Paths hold ids and keys only. */
function findSubject({ ctx }: Exchange): string | null {
  const params: Record<string, string> = ctx.params ?? {}
  return Object.values(params)[0]?.slice(0, SUBJECT_MAX) ?? null
}
