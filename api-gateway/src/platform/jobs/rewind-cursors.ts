import type { LedgerClient } from '@cairn/ledger-contracts'
import { type LogFork, listForks } from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'

/**
 * Moves back each cursor that passed a fork of the log before the fork was declared. The events
 * after the fork were lost, and the log has new events with the numbers of the lost events. Returns
 * the names of the moved followers.
 */
export async function rewindCursors(
  deps: { db: Database; ledger: LedgerClient },
  nowMs: number,
): Promise<readonly string[]> {
  const { verifierKeys } = await deps.ledger.ask('checkpoint', {})
  return rewindCursorsToForks(deps.db, { forks: listForks(verifierKeys), nowMs })
}

/** Returns a function that calls `rewindCursors` until it has succeeded once. */
export function createCursorRewind(deps: {
  db: Database
  ledger: LedgerClient
  clock: Clock
  log: Logger
}): () => Promise<void> {
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
  { forks, nowMs }: { forks: readonly LogFork[]; nowMs: number },
): Promise<readonly string[]> {
  const rewound: string[] = []
  for (const { size, at } of forks) {
    const rows = await db
      .updateTable('platform.cursor')
      .set({ seq: size - 1n, updated_at: new Date(nowMs) })
      .where('seq', '>=', String(size))
      .where('updated_at', '<', new Date(at))
      .returning('name')
      .execute()
    rewound.push(...rows.map(({ name }) => name))
  }
  return rewound
}
