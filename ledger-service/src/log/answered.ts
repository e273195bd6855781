import type { Batch } from './batch.ts'
import type { StoreSession } from './store.ts'

/**
 * The first event of the newest batch that this process has answered; null before the first batch.
 * One event is enough, because a batch is written completely or not at all. The value is kept when
 * a new writer or a new connection replaces the present one.
 */
export interface NewestAnswered {
  event: { readonly seq: bigint; readonly leaf: Buffer } | null
}

/** Thrown if the database lacks events that were answered or signed. Nothing is recorded then. */
export class LostEvents extends Error {
  override readonly name = 'LostEvents'
}

export function keepNewest(newest: NewestAnswered, { firstLeaf, from }: Batch): void {
  if (firstLeaf !== null) newest.event = { seq: from.frontier.size, leaf: firstLeaf }
}

/**
 * Throws `LostEvents` if the log lacks an event that this process has answered. The newest events
 * are missing after a restore of an older state, or after an old primary server returns.
 */
export async function requireAnswered(
  { event }: NewestAnswered,
  store: StoreSession,
): Promise<void> {
  if (event === null) return
  const leaf = await store.findLeaf(event.seq)
  if (leaf?.equals(event.leaf) === true) return
  throw new LostEvents(
    `the database lacks event ${event.seq}, which this process has answered: nothing is recorded ` +
      'until a database with this event is back, or the loss is declared with declare-fork',
  )
}
