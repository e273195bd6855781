import { type LogFork, listForks } from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, DatabaseTransaction } from '../database/database.ts'
import { getNumberLimit, toSiteNumber } from '../ledger-client/event-number.ts'
import { type FollowedLedger, type Follower, getCursorName } from './follower.ts'

type RewindDependencies = FollowedLedger & { db: Database; followers: readonly Follower[] }

/**
 * Moves back each cursor of the ledger that passed a fork of the log before the fork was declared,
 * and deletes what its follower stored of the events after the fork: these events were lost, and the
 * log has new events with their numbers. Returns the names of the moved cursors.
 */
export async function rewindCursors(
  { db, ledger, further = null, followers }: RewindDependencies,
  nowMs: number,
): Promise<readonly string[]> {
  const { verifierKeys } = await ledger.ask('checkpoint', {})
  const forks = listForks(verifierKeys)
  return rewindCursorsToForks({ db, followers }, { forks, further, nowMs })
}

/** Returns a function that calls `rewindCursors` until it has succeeded once. */
export function createCursorRewind(
  deps: RewindDependencies & { clock: Clock; log: Logger },
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
  { db, followers }: Pick<RewindDependencies, 'db' | 'followers'>,
  { forks, further, nowMs }: { forks: readonly LogFork[]; further: number | null; nowMs: number },
): Promise<readonly string[]> {
  const rewound: string[] = []
  for (const fork of forks) {
    const moved = await db.transaction().execute(async (trx) => {
      const names = await moveCursorsBack(trx, { fork, further, nowMs })
      for (const follower of followers) {
        if (!names.includes(getCursorName(follower.name, further))) continue
        await removeLostEvents(trx, follower, { fork, further, nowMs })
      }
      return names
    })
    rewound.push(...moved)
  }
  return rewound
}

type Rewind = { fork: LogFork; further: number | null; nowMs: number }

/** Returns the names of the cursors that were moved to the last event before the fork. */
async function moveCursorsBack(
  trx: DatabaseTransaction,
  { fork: { size, at }, further, nowMs }: Rewind,
): Promise<readonly string[]> {
  // Only the cursors of further ledgers have `@` in their names.
  const isOfFirst = sql<boolean>`position('@' in name) = 0`
  const isOfLedger =
    further === null ? isOfFirst : sql<boolean>`name like ${getCursorName('%', further)}`
  const rows = await trx
    .updateTable('platform.cursor')
    .set({ seq: size - 1n, updated_at: new Date(nowMs) })
    .where('seq', '>=', String(size))
    .where('updated_at', '<', new Date(at))
    .where(isOfLedger)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

async function removeLostEvents(
  trx: DatabaseTransaction,
  follower: Follower,
  { fork: { size }, further, nowMs }: Rewind,
): Promise<void> {
  await follower.removeEvents?.(trx, {
    from: toSiteNumber(size, further),
    below: getNumberLimit(further),
  })
  if (follower.clear === undefined) return
  // The cursors are moved first: this waits for the pages that are being handled, so that `clear`
  // deletes their sums too.
  await trx
    .updateTable('platform.cursor')
    .set({ seq: -1n, updated_at: new Date(nowMs) })
    .where((eb) =>
      eb.or([eb('name', '=', follower.name), eb('name', 'like', `${follower.name}@%`)]),
    )
    .execute()
  await follower.clear(trx)
}
