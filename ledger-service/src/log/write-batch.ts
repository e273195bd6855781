import type { Batch } from './batch.ts'
import { computeRoot, packFrontier } from './merkle.ts'
import type { HeadMove } from './statement.ts'
import type { StoreSession, Written } from './store.ts'

/**
 * Writes the rows of the batch. The answers of the batch are valid only if the batch was written. A
 * batch without rows contains only refusals. It counts as written if no other writer has taken over
 * the log, because its refusals are then based on the current state.
 */
export async function writeBatch(batch: Batch, store: StoreSession): Promise<Written> {
  const isEmpty = [...batch.rows.values()].every((rows) => rows.length === 0)
  if (!isEmpty) return store.append(toHeadMove(batch), batch.rows)
  return (await store.holdsHead(batch.from)) ? 'written' : 'fenced'
}

function toHeadMove({ from, to, root }: Batch): HeadMove {
  return {
    ledger: from.ledger,
    token: from.token,
    fromSize: from.frontier.size,
    fromRoot: computeRoot(from.frontier),
    size: to.frontier.size,
    root,
    frontier: packFrontier(to.frontier),
    fromRefusals: from.refusals,
    refusals: to.refusals,
    model: to.model,
    lastRecordedAtMs: to.lastRecordedAtMs,
  }
}
