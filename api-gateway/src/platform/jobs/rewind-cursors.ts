import { type LogFork, listForks } from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { type FollowedLedger, getCursorName } from './follower.ts'

/**
 * Moves back each cursor of the ledger that passed a fork of the log before the fork was declared.
 * The events after the fork were lost, and the log has new events with the numbers of the lost
 * events. Returns the names of the moved followers.
 */
export async function rewindCursors(
  { db, ledger, further = null }: { db: Database } & FollowedLedger,
  nowMs: number,
): Promise<readonly string[]> {
  const { verifierKeys } = await ledger.ask('checkpoint', {})
  return rewindCursorsToForks(db, { forks: listForks(verifierKeys), further, nowMs })
}

/** Returns a function that calls `rewindCursors` until it has succeeded once. */
export function createCursorRewind(
  deps: { db: Database; clock: Clock; log: Logger } & FollowedLedger,
): () => Promise<void> {
  let running: Promise<void> | null = null
  async function rewind(): Promise<void> {
    const names = await rewindCursors(deps, deps.clock.now())
    if (names.length > 0) deps.log.warn({ names }, 'the log was forked; cursors were moved back')
  }
  return () => {
    running ??= rewind().catch((error) => {
      running = null
      throw error
    })
    return running
  }
}

export async function rewindCursorsToForks(
  db: Database,
  {
    forks,
    further = null,
    nowMs,
  }: { forks: readonly LogFork[]; further?: number | null; nowMs: number },
): Promise<readonly string[]> {
  const rewound: string[] = []
  // Only the cursors of further ledgers have `@` in their names.
  const isOfFirst = sql<boolean>`position('@' in name) = 0`
  const isOfLedger =
    further === null ? isOfFirst : sql<boolean>`name like ${getCursorName('%', further)}`
  for (const { size, at } of forks) {
    const rows = await db
      .updateTable('platform.cursor')
      .set({ seq: size - 1n, updated_at: new Date(nowMs) })
      .where('seq', '>=', String(size))
      .where('updated_at', '<', new Date(at))
      .where(isOfLedger)
      .returning('name')
      .execute()
    rewound.push(...rows.map(({ name }) => name))
  }
  return rewound
}
