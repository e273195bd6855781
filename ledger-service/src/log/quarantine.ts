import { type Entry, formatName, listMembers } from './entry.ts'

const QUARANTINED_MAX = 1_000

/**
 * Remembers commands whose decision failed because of a bug. If such a command is repeated, the
 * writer does not decide it again, so that it cannot make a second batch fail.
 */
export interface Quarantine {
  add(entry: Entry): void
  has(entry: Entry): boolean
}

/** The commands are stored in memory only, because a restart may fix the bug. */
export function createQuarantine(): Quarantine {
  const names = new Set<string>()
  return {
    add: (entry) => {
      if (listMembers(entry).some(({ idempotencyHash }) => idempotencyHash === null)) return
      const [oldest] = names
      if (names.size >= QUARANTINED_MAX && oldest !== undefined) names.delete(oldest)
      names.add(formatName(entry))
    },
    has: (entry) => names.size > 0 && names.has(formatName(entry)),
  }
}
