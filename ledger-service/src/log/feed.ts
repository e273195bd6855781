import type { EventsResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from './envelope.ts'

/** The log as followers read it: dense, in commit order, so `after` is all the state they need. */
export interface Feed {
  read(page: {
    after: bigint
    limit: number
    waitMs: number
    signal: AbortSignal
  }): Promise<EventsResponse>
  appended(): void
  /** Answers those who wait with what there is. */
  stop(): void
}

export const FEED_LIMIT_MAX = 1_000

export function createFeed({ pool, ledger }: { pool: pg.Pool; ledger: number }): Feed {
  const waiting = new Set<() => void>()
  let appends = 0
  let isStopping = false

  function wakeAll(): void {
    for (const wake of [...waiting]) wake()
  }

  async function select(after: bigint, limit: number): Promise<EventsResponse> {
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

  function untilAppended(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, waitMs)
      waiting.add(done)
      signal.addEventListener('abort', done)
    })
  }

  return {
    appended: () => {
      appends += 1
      wakeAll()
    },
    stop: () => {
      isStopping = true
      wakeAll()
    },
    read: async ({ after, limit, waitMs, signal }) => {
      const deadline = performance.now() + waitMs
      for (;;) {
        const appendsBefore = appends
        const page = await select(after, limit)
        const leftMs = deadline - performance.now()
        // A reader may be woken for events it has read already.
        if (page.events.length > 0 || leftMs <= 0 || signal.aborted || isStopping) return page
        // What came while it was selected wakes nobody any more.
        if (appends === appendsBefore) await untilAppended(leftMs, signal)
        if (isStopping) return page
      }
    },
  }
}
