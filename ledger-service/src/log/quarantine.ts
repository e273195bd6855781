import type { Entry } from './batch.ts'

const QUARANTINED_MAX = 1_000

/**
 * Remembers commands with a key that failed because of a bug, so that a retry cannot fail a batch.
 */
export interface Quarantine {
  add(entry: Entry): void
  has(entry: Entry): boolean
}

/** Kept in memory only, so that a restart, which may fix the bug, processes them again. */
export function createQuarantine(): Quarantine {
  const names = new Set<string>()
  return {
    add: (entry) => {
      if (entry.idempotencyHash === null) return
      const [oldest] = names
      if (names.size >= QUARANTINED_MAX && oldest !== undefined) names.delete(oldest)
      names.add(nameOf(entry))
    },
    has: (entry) => names.size > 0 && names.has(nameOf(entry)),
  }
}

/** The same key with different content is a different command. */
function nameOf({ idempotencyHash, requestHash }: Entry): string {
  return `${idempotencyHash?.toString('hex')} ${requestHash.toString('hex')}`
}
