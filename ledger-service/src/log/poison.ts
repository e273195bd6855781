import type { Failed } from '@cairn/ledger-contracts'
import { type Entry, formatEntry } from './entry.ts'

/** A bug occurred while `culprit` was decided. The batch must be discarded. */
export class PoisonedBatch extends Error {
  override readonly name = 'PoisonedBatch'
  readonly culprit: Entry
  constructor(culprit: Entry, cause: unknown) {
    super(`${formatEntry(culprit)} cannot be processed`, { cause })
    this.culprit = culprit
  }
}

export function toPoisonAnswer(entry: Entry): Failed {
  const message = `${formatEntry(entry)} could not be processed; nothing was recorded`
  return { outcome: 'failed', code: 'POISON', message }
}
