import type { Answer } from '@cairn/ledger-contracts'
import type { Entry } from './batch.ts'

const QUARANTINED_MAX = 1_000

/** Keyed commands that cannot be processed: asked again, they cost nobody's batch again. */
export interface Quarantine {
  note(entry: Entry, answer: Answer): void
  find(entry: Entry): Answer | null
}

/** Kept in memory alone: a new start, with its bug mended, tries them afresh. */
export function createQuarantine(): Quarantine {
  const answers = new Map<string, Answer>()
  return {
    note: (entry, answer) => {
      if (entry.idempotencyHash === null) return
      if (answer.outcome !== 'failed' || answer.code !== 'POISON') return
      const [oldest] = answers.keys()
      if (answers.size >= QUARANTINED_MAX && oldest !== undefined) answers.delete(oldest)
      answers.set(nameOf(entry), answer)
    },
    find: (entry) => (answers.size === 0 ? null : (answers.get(nameOf(entry)) ?? null)),
  }
}

/** The same key with another content is another command. */
function nameOf({ idempotencyHash, requestHash }: Entry): string {
  return `${idempotencyHash?.toString('hex')} ${requestHash.toString('hex')}`
}
