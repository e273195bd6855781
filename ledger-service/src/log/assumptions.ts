import { countCommands, type Entry, listMembers } from './entry.ts'
import type { Need } from './view.ts'

/**
 * Determines which entries are decided without a lookup of their idempotency keys and of the rows
 * that they create. A wrong assumption never reaches the log, because the statement inserts such
 * keys and rows only if they do not exist. It costs the time to decide two batches again.
 */
export interface Assumptions {
  /**
   * True if the entry must be looked up. Each call counts the commands of the entry, because only a
   * limited number of commands is looked up after a start or a conflict.
   */
  needsLookup(entry: Entry): boolean
  /**
   * True if a refusal or a failure of the entry is final. False if the refusal or failure depends
   * on an assumed absence. The caller must then look up the entry and decide it again. `needs`
   * contains the rows that the decider read.
   */
  mayRefuse(entry: Entry, needs: readonly Need[]): boolean
  /** Remembers the keys of entries in a batch, so that a repetition is looked up. */
  addKeys(entries: readonly Entry[]): void
  /**
   * Must be called after this writer has taken over the log. The next commands are looked up,
   * because callers repeat the commands whose answers they did not get.
   */
  startCautiously(): void
  /** Must be called after a wrong assumption. The next commands are looked up. */
  reportConflict(): void
}

/**
 * The number of most recent keys that are always remembered. At most twice as many are remembered,
 * which takes about 20 MB.
 */
export const KEYS_MIN = 100_000
/** The number of commands that are looked up at first. Two batches have fewer commands. */
const CAUTION_MIN = 2_000
const CAUTION_DOUBLINGS_MAX = 6

export function createAssumptions({
  keysMin = KEYS_MIN,
  cautionMin = CAUTION_MIN,
} = {}): Assumptions {
  /** The most recent keys, in two sets, so that old keys are forgotten without a search. */
  let recent = new Set<string>()
  let older = new Set<string>()
  /** The number of commands that are still looked up. */
  let cautious = 0
  /** The number of commands that are looked up after the next conflict. */
  let caution = cautionMin
  /** The number of commands without a conflict since `caution` was changed. */
  let calm = 0

  return {
    needsLookup: (entry) => {
      const count = countCommands(entry)
      if (cautious > 0) {
        cautious -= count
        return true
      }
      calm += count
      if (calm >= caution) {
        calm = 0
        caution = Math.max(cautionMin, caution / 2)
      }
      return listKeys(entry).some((key) => recent.has(key) || older.has(key))
    },
    mayRefuse: (entry, needs) =>
      entry.isLookedUp ||
      (listKeys(entry).length === 0 && needs.every(({ isCreated }) => isCreated !== true)),
    addKeys: (entries) => {
      for (const entry of entries) for (const key of listKeys(entry)) recent.add(key)
      if (recent.size < keysMin) return
      older = recent
      recent = new Set()
    },
    startCautiously: () => {
      cautious = Math.max(cautious, cautionMin)
    },
    reportConflict: () => {
      cautious = Math.max(cautious, caution)
      caution = Math.min(caution * 2, cautionMin * 2 ** CAUTION_DOUBLINGS_MAX)
      calm = 0
    },
  }
}

function listKeys(entry: Entry): readonly string[] {
  if (entry.members === null) {
    return entry.idempotencyHash === null ? [] : [entry.idempotencyHash.toString('latin1')]
  }
  return listMembers(entry).flatMap(
    ({ idempotencyHash }) => idempotencyHash?.toString('latin1') ?? [],
  )
}
