import type { Clock } from '@cairn/service-kit/clock'
import type { Assumptions } from './assumptions.ts'
import { decideCommand } from './decide.ts'
import { startDraft, writeRefusal } from './draft.ts'
import { describeDryRun } from './dry-run.ts'
import {
  countCommands,
  type DryRunEntry,
  type Entry,
  type EntryAnswer,
  type LinkedEntry,
  type Settled,
  type SingleEntry,
} from './entry.ts'
import type { Head } from './head.ts'
import { answerLinkedCommandsAgain, decideLinkedCommands, type LinkedDecision } from './linked.ts'
import { computeRoot } from './merkle.ts'
import type { Decision, Model } from './model.ts'
import { PoisonedBatch, toPoisonAnswer } from './poison.ts'
import { takeRandomBytes } from './pooled-random.ts'
import { recordEntry, writeLinkedCommands } from './record-entry.ts'
import { getStoredAnswer } from './stored-answer.ts'
import type { BatchRows, Table } from './table.ts'
import { eventTable, postingTable, refusalTable, subtreeTable } from './tables.ts'
import type { Cache, Changes, Fork, Need, View } from './view.ts'

/** Why an entry was not decided. */
type Undecided = 'not loaded' | 'not looked up'
type Decided = EntryAnswer | Undecided

export interface Batch {
  entries: readonly Entry[]
  from: Head
  to: Head
  root: Buffer
  firstLeaf: Buffer | null
  rows: BatchRows
  /** The changes to the cache, which `rows` writes to the tables of the projections. */
  changes: Changes
  /**
   * One answer per entry, in the order of the entries. Valid only after the statement has
   * committed.
   */
  answers: readonly EntryAnswer[]
  /** The number of commands in the entries. */
  size: number
}

/** A batch that accepts and decides entries while the previous batch commits. */
export interface OpenBatch {
  readonly entries: readonly Entry[]
  /** Returns the number of commands in the entries. */
  getSize(): number
  /**
   * Decides entries in order. Stops at the first entry that needs rows that are not loaded, or that
   * would be refused because of an assumed absence. Returns this entry and all later entries. The
   * caller loads the rows, looks up the keys and adds these entries again.
   */
  add(entries: readonly Entry[], settled: ReadonlyMap<string, Settled>): readonly Entry[]
  /**
   * Returns the rows of the decided entries. All calls return the same map until an entry is added.
   */
  getRows(): BatchRows
  close(): Batch
}

export function openBatch(args: {
  head: Head
  cache: Cache
  model: Model
  clock: Clock
  assumptions: Pick<Assumptions, 'mayRefuse'>
  /** True if the entry already failed because of a bug. Such an entry is not decided again. */
  isPoison(entry: Entry): boolean
  random?: (bytes: number) => Buffer
}): OpenBatch {
  const { head, cache, model, clock, assumptions, isPoison, random = takeRandomBytes } = args
  const draft = startDraft(head, random)
  const entries: Entry[] = []
  const answers: EntryAnswer[] = []
  let size = 0
  let collectedRows: BatchRows | null = null

  function collectRows(): BatchRows {
    collectedRows ??= new Map<Table, readonly object[]>([
      [eventTable, draft.events],
      [postingTable, draft.postings],
      [subtreeTable, draft.subtrees],
      [refusalTable, draft.refusals],
      ...cache.getChanges(),
    ])
    return collectedRows
  }

  function decideOrReplay(entry: Entry, settled: ReadonlyMap<string, Settled>): Decided {
    if (entry.members !== null) {
      return entry.isDryRun ? decideDryRun(entry) : decideOrReplayLinkedCommands(entry, settled)
    }
    const known = settled.get(entry.idempotencyHash?.toString('hex') ?? '')
    if (known !== undefined) return getStoredAnswer(known, entry)
    if (isPoison(entry)) return mayBlame(entry) ? toPoisonAnswer(entry) : 'not looked up'
    const needs = listNeeds(model, entry, cache)
    // A batch can contain both a request and its approval. The approval needs the row of the
    // investor. The investor is known only after the request was decided.
    if (cache.listMissingNeeds(needs, entry.isLookedUp).length > 0) return 'not loaded'
    const decision = decideSingleCommand(model, entry, cache, draft.recordedAtMs)
    if ('refusal' in decision) {
      if (!assumptions.mayRefuse(entry, needs)) return 'not looked up'
      return writeRefusal(draft, entry, { refusal: decision.refusal, linked: null })
    }
    const answer = recordEntry({ draft, entry, decision, cache, model })
    requireCreatedRows(cache, { entry, needs })
    return answer
  }

  function decideOrReplayLinkedCommands(
    entry: LinkedEntry,
    settled: ReadonlyMap<string, Settled>,
  ): Decided {
    const again = answerLinkedCommandsAgain(entry, settled)
    if (again !== null) return again
    if (isPoison(entry)) {
      return mayBlame(entry) ? entry.members.map(() => toPoisonAnswer(entry)) : 'not looked up'
    }
    const decided = decideOnFork(entry)
    if (decided === null) return 'not loaded'
    const { fork, decision, needs } = decided
    if ('refusals' in decision && !assumptions.mayRefuse(entry, needs)) return 'not looked up'
    if ('steps' in decision) fork.apply()
    const answers = writeLinkedCommands({ draft, entry, decision })
    if ('steps' in decision) requireCreatedRows(cache, { entry, needs })
    return answers
  }

  /** True if a command that failed before can be answered without a lookup of its keys. */
  function mayBlame(entry: Entry): boolean {
    return assumptions.mayRefuse(entry, [])
  }

  /**
   * Decides the commands on a fork of the cache and discards the fork. A dry run therefore changes
   * neither the cache nor the draft.
   */
  function decideDryRun(entry: DryRunEntry): Decided {
    const decided = decideOnFork(entry)
    if (decided === null) return 'not loaded'
    return describeDryRun(entry.members, { ...decided, recordedAtMs: draft.recordedAtMs })
  }

  /** Decides the commands on a fork of the cache. Returns null if a row must be loaded. */
  function decideOnFork(
    entry: LinkedEntry | DryRunEntry,
  ): { fork: Fork; decision: LinkedDecision; needs: readonly Need[] } | null {
    const fork = cache.fork()
    const needs: Need[] = []
    try {
      const decision = decideLinkedCommands(model, entry.members, {
        view: fork,
        size: draft.frontier.size,
        recordedAtMs: draft.recordedAtMs,
        isLoaded: (command) => {
          const read = model.needs(command, fork)
          needs.push(...read)
          const unknown = read.filter((need) => !fork.has(need))
          const missing = cache.listMissingNeeds(unknown, entry.isLookedUp)
          entry.missed = [...entry.missed, ...missing]
          return missing.length === 0
        },
      })
      return decision === null ? null : { fork, decision, needs }
    } catch (cause) {
      throw new PoisonedBatch(entry, cause)
    }
  }

  return {
    entries,
    getSize: () => size,
    add: (added, settled) => {
      draft.recordedAtMs = Math.max(clock.now(), draft.recordedAtMs)
      collectedRows = null
      for (const [place, entry] of added.entries()) {
        const answer = decideOrReplay(entry, settled)
        if (typeof answer === 'string') return listUndecided(added.slice(place), answer)
        entries.push(entry)
        answers.push(answer)
        size += countCommands(entry)
      }
      return []
    },
    getRows: collectRows,
    close: () => {
      const rows = collectRows()
      return {
        entries,
        from: head,
        to: {
          ...head,
          frontier: draft.frontier,
          refusals: draft.chain,
          model: model.findVersion(cache),
          areRefusalsSealed: draft.isChainSealed,
          lastRecordedAtMs: draft.recordedAtMs,
        },
        root: computeRoot(draft.frontier),
        firstLeaf: draft.events[0]?.leafHash ?? null,
        rows,
        changes: cache.closeChanges(),
        answers,
        size,
      }
    },
  }
}

/**
 * Returns the entries that were not decided. If the first entry must be looked up, marks all
 * entries for a lookup. Many of them probably need a lookup, and one common lookup takes less time
 * than several.
 */
function listUndecided(entries: readonly Entry[], why: Undecided): readonly Entry[] {
  if (why === 'not looked up') for (const entry of entries) entry.isLookedUp = true
  return entries
}

/**
 * Throws PoisonedBatch if a recorded command assumed that a row is absent, but did not create this
 * row. Only the insert of the row would have checked the assumption.
 */
function requireCreatedRows(
  cache: Cache,
  { entry, needs }: { entry: Entry; needs: readonly Need[] },
): void {
  if (entry.isLookedUp) return
  const missed = needs.find((need) => need.isCreated === true && cache.isAssumed(need))
  if (missed === undefined) return
  const { table, key } = missed
  throw new PoisonedBatch(entry, new Error(`${table.name} ${key} was not created`))
}

/** Returns the rows that the decider needs, as far as the loaded rows show them. */
function listNeeds(model: Model, entry: SingleEntry, cache: Cache): readonly Need[] {
  try {
    return model.needs(entry.command, cache)
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

/** Throws PoisonedBatch if the decider throws. Deciders throw only because of bugs. */
function decideSingleCommand(
  model: Model,
  entry: SingleEntry,
  view: View,
  recordedAtMs: number,
): Decision {
  try {
    return decideCommand(model, entry, view, recordedAtMs)
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}
