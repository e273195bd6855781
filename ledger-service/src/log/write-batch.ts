import type { Batch } from './batch.ts'
import { packFrontier } from './merkle.ts'
import type { HeadMove } from './statement.ts'
import type { StoreSession } from './store.ts'

/**
 * Writes the rows of the batch and returns whether its answers are valid. A batch without rows
 * contains only refusals. These are valid if no other writer has taken the head, because they are
 * then based on the current state.
 */
export async function writeBatch(batch: Batch, store: StoreSession): Promise<boolean> {
  const isEmpty = [...batch.rows.values()].every((rows) => rows.length === 0)
  if (isEmpty) return store.holdsHead(batch.from)
  return (await store.append(moveOf(batch), batch.rows)) === 'written'
}

function moveOf({ from, to, root }: Batch): HeadMove {
  return {
    ledger: from.ledger,
    epoch: from.epoch,
    fromSize: from.frontier.size,
    size: to.frontier.size,
    root,
    frontier: packFrontier(to.frontier),
    lastRecordedAtMs: to.lastRecordedAtMs,
  }
}
