import type { AuditAction } from '@cairn/gateway-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { type AuditEntry, recordAudit } from './audit.ts'

const WINDOW_MS = 60_000
/** Maximum number of rows per minute for one kind of refusal from one address or user. */
export const ROWS_PER_SOURCE = 10
/** Maximum number of rows per minute for all refusals at one gateway. */
export const ROWS_PER_WINDOW = 200
/** The `ip` and the `requestId` of a row that represents several refusals. */
export const SUMMARY = 'summary'

export interface RefusalRecorder {
  /**
   * Records a refusal, in a row or only in a count. The function never throws, because the caller
   * must get the answer to the request.
   */
  record(entry: AuditEntry & { result: string }, nowMs: number): Promise<void>
  /** Writes the counts of the refusals that have no rows. */
  flush(): Promise<void>
}

/**
 * Creates a recorder that limits the number of rows. Above the limits, refusals are only counted,
 * and one row per minute has the count of each action and result. If the process ends, the counts
 * of the current minute are lost.
 */
export function createRefusalRecorder({
  db,
  clock,
  log,
}: {
  db: Database
  clock: Clock
  log: Logger
}): RefusalRecorder {
  let windowStartMs = Number.NEGATIVE_INFINITY
  let rows = 0
  const bySource = new Map<string, number>()
  const counted = new Map<string, { action: AuditAction; result: string; count: number }>()
  let timer: NodeJS.Timeout | null = null

  async function write(entry: AuditEntry, nowMs: number): Promise<void> {
    await recordAudit(db, entry, nowMs).catch((error: unknown) => {
      const { action, result, requestId } = entry
      log.error({ err: error, requestId, action, result }, 'a refusal was not recorded')
    })
  }

  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const due = [...counted.values()]
    counted.clear()
    const nowMs = clock.now()
    for (const { action, result, count } of due) {
      const details = { count, seconds: WINDOW_MS / 1_000 }
      const origin = { actorId: null, subject: null, ip: SUMMARY, requestId: SUMMARY }
      await write({ ...origin, action, result, details }, nowMs)
    }
  }

  async function openWindow(nowMs: number): Promise<void> {
    windowStartMs = nowMs
    rows = 0
    bySource.clear()
    await flush()
  }

  function count({ action, result }: { action: AuditAction; result: string }): void {
    const key = `${action} ${result}`
    const known = counted.get(key)
    if (known !== undefined) known.count += 1
    else counted.set(key, { action, result, count: 1 })
    // The counts are written after the window even if no further refusal follows.
    timer ??= setTimeout(() => void flush(), WINDOW_MS).unref()
  }

  return {
    record: async (entry, nowMs) => {
      if (nowMs - windowStartMs >= WINDOW_MS) await openWindow(nowMs)
      const source = `${entry.action} ${entry.result} ${entry.actorId ?? entry.ip}`
      const fromSource = bySource.get(source) ?? 0
      if (rows >= ROWS_PER_WINDOW || fromSource >= ROWS_PER_SOURCE) return count(entry)
      rows += 1
      bySource.set(source, fromSource + 1)
      await write(entry, nowMs)
    },
    flush,
  }
}
