import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { PastTotals } from './past-totals.ts'

/** The pause after a part, as a multiple of the time that the part took. */
const PAUSE_FACTOR = 3

/**
 * Sums the log after a start, part by part in the background. Otherwise the first query for a past
 * trial balance would have to sum the whole log, and with ten million postings its caller would
 * give up first.
 */
export function fillPastTotals({
  pastTotals,
  pool,
  ledger,
  log,
  firstAfterMs,
}: {
  pastTotals: PastTotals
  pool: pg.Pool
  ledger: number
  log: Logger
  firstAfterMs: number
}): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function fill(): Promise<void> {
    await delay(firstAfterMs, undefined, { signal })
    const { rows } = await pool.query<{ size: bigint }>(
      'select size from ledger.head where ledger_id = $1',
      [ledger],
    )
    const size = rows[0]?.size ?? 0n
    let began = performance.now()
    while (await pastTotals.addNextPart(size)) {
      await delay((performance.now() - began) * PAUSE_FACTOR, undefined, { signal })
      began = performance.now()
    }
  }

  const filling = fill().catch((error: unknown) => {
    // Queries add the missing parts themselves.
    if (!signal.aborted) log.warn({ err: error }, 'the past totals were not all computed')
  })
  return {
    stop: async () => {
      stopping.abort()
      await filling
    },
  }
}
