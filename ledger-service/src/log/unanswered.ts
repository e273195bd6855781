import type { Batch } from './batch.ts'
import type { StoreSession } from './store.ts'

/**
 * True if the batch is in the log. The result is final only if the statement of the batch can no
 * longer be executed.
 */
export async function isInLog(batch: Batch, store: StoreSession): Promise<boolean> {
  if (batch.firstLeaf === null) return false
  const leaf = await store.findLeaf(batch.from.frontier.size)
  return leaf?.equals(batch.firstLeaf) === true
}

/**
 * Determines whether a batch was written, without taking over the log. While the head is unchanged,
 * the statement may still be executed, so this function throws. After the head has changed, the
 * statement can no longer write. The function returns the result only after the result is durable.
 */
export async function isBatchWritten(batch: Batch, store: StoreSession): Promise<boolean> {
  if (await store.holdsHead(batch.from)) {
    throw new Error('the new writer has not taken the head yet')
  }
  const isWritten = await isInLog(batch, store)
  await store.confirm()
  return isWritten
}
