import type { Batch } from './batch.ts'
import type { StoreSession } from './store.ts'

/**
 * The first event of the newest batch that this process has answered; null before the first batch.
 * One event is enough, because a batch is written completely or not at all. The value remains when
 * the writer and its connections are replaced.
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
 * Throws `LostEvents` if the log lacks an event that this process has answered. A database that was
 * restored, or a primary that comes back after its replacement, can lack the newest events.
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
