import type { Entry } from './batch.ts'

const QUARANTINED_MAX = 1_000

/** Keyed commands that cannot be processed: asked again, they cost nobody's batch again. */
export interface Quarantine {
  add(entry: Entry): void
  has(entry: Entry): boolean
}

/** Kept in memory alone: a new start, with its bug mended, tries them afresh. */
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

/** The same key with another content is another command. */
function nameOf({ idempotencyHash, requestHash }: Entry): string {
  return `${idempotencyHash?.toString('hex')} ${requestHash.toString('hex')}`
}
