import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { PART_EVENTS, storeNextTotals } from './past-totals.ts'

/** The pause after a part, as a multiple of the time that the part took. */
const PAUSE_FACTOR = 3
/** The time from an event to the next look at the log, in milliseconds. */
const NEXT_LOOK_MS = 5_000

export interface PastTotalsFiller {
  /** Starts to look at the log, unless a look is planned or running. */
  notifyAppended(size: bigint): void
  stop(): Promise<void>
}

/**
 * Creates a filler that stores the sums of the log, part by part in the background: after the start
 * and while the log grows. A query for a past trial balance would otherwise sum the whole log, and
 * with ten million events its caller would give up first.
 */
export function createPastTotalsFiller({
  pool,
  ledger,
  log,
  firstAfterMs,
  nextAfterMs = NEXT_LOOK_MS,
  partEvents = PART_EVENTS,
}: {
  pool: pg.Pool
  ledger: number
  log: Logger
  firstAfterMs: number
  nextAfterMs?: number
  partEvents?: bigint
}): PastTotalsFiller {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null
  /** The log has no complete part without sums below this size. */
  let nextSize = 0n

  async function fill(afterMs: number): Promise<void> {
    await delay(afterMs, undefined, { signal })
    const { rows } = await pool.query<{ size: bigint }>(
      'select size from ledger.head where ledger_id = $1',
      [ledger],
    )
    const size = rows[0]?.size ?? 0n
    let began = performance.now()
    while (await storeNextTotals(pool, { ledger, size, partEvents })) {
      await delay((performance.now() - began) * PAUSE_FACTOR, undefined, { signal })
      began = performance.now()
    }
    nextSize = (size / partEvents + 1n) * partEvents
  }

  function start(afterMs: number): void {
    running = fill(afterMs)
      .catch((error: unknown) => {
        // Queries sum the missing parts themselves, and the next event leads to the next attempt.
        if (!signal.aborted) log.warn({ err: error }, 'the past totals were not all stored')
      })
      .finally(() => {
        running = null
      })
  }

  start(firstAfterMs)
  return {
    notifyAppended: (size) => {
      if (running === null && size >= nextSize && !signal.aborted) start(nextAfterMs)
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
