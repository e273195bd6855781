import type { EventsResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from './envelope.ts'

/**
 * The log as followers read it, without gaps and in commit order. The only state that a follower
 * must store is the last sequence number that it read.
 */
export interface Feed {
  read(page: {
    after: bigint
    limit: number
    waitMs: number
    signal: AbortSignal
  }): Promise<EventsResponse>
  notifyAppended(): void
  /**
   * Answers all waiting readers immediately, with the events that are committed or with no events.
   */
  stop(): void
}

export const FEED_LIMIT_MAX = 1_000

export function createFeed({ pool, ledger }: { pool: pg.Pool; ledger: number }): Feed {
  const waiting = new Set<() => void>()
  let appends = 0
  let isStopping = false

  function wakeAllReaders(): void {
    for (const wake of [...waiting]) wake()
  }

  async function selectEvents(after: bigint, limit: number): Promise<EventsResponse> {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'feed',
      text: `select bytes from ledger.event where ledger_id = $1 and seq > $2
             order by seq limit $3`,
      values: [ledger, after, limit],
    })
    const head = await pool.query<{ size: bigint }>(
      'select size from ledger.head where ledger_id = $1',
      [ledger],
    )
    return { events: rows.map(({ bytes }) => readEvent(bytes)), size: head.rows[0]?.size ?? 0n }
  }

  function waitForAppend(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakeReader = () => {
        clearTimeout(timer)
        waiting.delete(wakeReader)
        signal.removeEventListener('abort', wakeReader)
        resolve()
      }
      const timer = setTimeout(wakeReader, waitMs)
      waiting.add(wakeReader)
      signal.addEventListener('abort', wakeReader)
    })
  }

  return {
    notifyAppended: () => {
      appends += 1
      wakeAllReaders()
    },
    stop: () => {
      isStopping = true
      wakeAllReaders()
    },
    read: async ({ after, limit, waitMs, signal }) => {
      const deadline = performance.now() + waitMs
      for (;;) {
        const appendsBefore = appends
        const page = await selectEvents(after, limit)
        const leftMs = deadline - performance.now()
        // A page can be empty after a wake-up, because the reader already had the new events. The
        // reader then waits again.
        if (page.events.length > 0 || leftMs <= 0 || signal.aborted || isStopping) return page
        // If events were appended during the query, the next query starts without waiting.
        if (appends === appendsBefore) await waitForAppend(leftMs, signal)
        if (isStopping) return page
      }
    },
  }
}
