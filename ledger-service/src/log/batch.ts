import type { Answer, DryRunAnswer } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { decideCommand } from './decide.ts'
import { type Draft, startDraft, writeEvent, writeRefusal } from './draft.ts'
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
import {
  answerLinkedCommandsAgain,
  decideLinkedCommands,
  getItem,
  type LinkedDecision,
} from './linked.ts'
import { computeRoot } from './merkle.ts'
import type { Decision, Model, Refusal } from './model.ts'
import { PoisonedBatch, toPoisonAnswer } from './poison.ts'
import { createPooledRandom } from './pooled-random.ts'
import { assertZeroSum, computeRunningBalances } from './running-balances.ts'
import { getStoredAnswer } from './stored-answer.ts'
import type { BatchRows, Table } from './table.ts'
import { eventTable, postingTable, refusalTable, subtreeTable } from './tables.ts'
import type { Cache, Changes, Fork, Need, View } from './view.ts'

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
   * Decides entries in order. Stops at the first entry that needs rows that are not loaded, and
   * returns this entry and all entries after it. The caller must load the rows and add the returned
   * entries again.
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
  /** True if the entry already failed because of a bug. Such an entry is not decided again. */
  isPoison(entry: Entry): boolean
  random?: (bytes: number) => Buffer
}): OpenBatch {
  const { head, cache, model, clock, isPoison, random = createPooledRandom } = args
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

  function decideOrReplay(entry: Entry, settled: ReadonlyMap<string, Settled>): EntryAnswer | null {
    if (entry.members !== null) {
      return entry.isDryRun ? decideDryRun(entry) : decideOrReplayLinkedCommands(entry, settled)
    }
    const known = settled.get(entry.idempotencyHash?.toString('hex') ?? '')
    if (known !== undefined) return getStoredAnswer(known, entry)
    if (isPoison(entry)) return toPoisonAnswer(entry)
    // A batch can contain both a request and its approval. The approval needs the row of the
    // investor. The investor is known only after the request was decided.
    if (cache.listMissingNeeds(listNeeds(model, entry, cache)).length > 0) return null
    const decision = decideSingleCommand(model, entry, cache, draft.recordedAtMs)
    if ('refusal' in decision) {
      return writeRefusal(draft, entry, { refusal: decision.refusal, linked: null })
    }
    return recordEntry({ draft, entry, decision, cache, model })
  }

  function decideOrReplayLinkedCommands(
    entry: LinkedEntry,
    settled: ReadonlyMap<string, Settled>,
  ): readonly Answer[] | null {
    const again = answerLinkedCommandsAgain(entry, settled)
    if (again !== null) return again
    if (isPoison(entry)) return entry.members.map(() => toPoisonAnswer(entry))
    const decided = decideOnFork(entry)
    if (decided === null) return null
    if ('steps' in decided.decision) decided.fork.apply()
    return writeLinkedCommands({ draft, entry, decision: decided.decision })
  }

  /**
   * Decides the commands on a fork of the cache and discards the fork. A dry run therefore changes
   * neither the cache nor the draft.
   */
  function decideDryRun(entry: DryRunEntry): readonly DryRunAnswer[] | null {
    const decided = decideOnFork(entry)
    if (decided === null) return null
    return describeDryRun(entry.members, { ...decided, recordedAtMs: draft.recordedAtMs })
  }

  /** Decides the commands on a fork of the cache. Returns null if a row must be loaded. */
  function decideOnFork(
    entry: LinkedEntry | DryRunEntry,
  ): { fork: Fork; decision: LinkedDecision } | null {
    const fork = cache.fork()
    try {
      const decision = decideLinkedCommands(model, entry.members, {
        view: fork,
        size: draft.frontier.size,
        recordedAtMs: draft.recordedAtMs,
        isLoaded: (command) => {
          const needs = model.needs(command, fork).filter((need) => !fork.has(need))
          const missing = cache.listMissingNeeds(needs)
          entry.missed = [...entry.missed, ...missing]
          return missing.length === 0
        },
      })
      return decision === null ? null : { fork, decision }
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
        if (answer === null) return added.slice(place)
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

function recordEntry(args: {
  draft: Draft
  entry: SingleEntry
  decision: Exclude<Decision, { refusal: Refusal }>
  cache: Cache
  model: Model
}): Answer {
  const { draft, entry, decision, cache, model } = args
  const { fact, postings, effectiveAtMs, control = null } = decision
  const { actor } = entry.command
  const seq = draft.frontier.size
  const { recordedAtMs } = draft
  try {
    assertZeroSum(fact, postings)
    const linked = null
    const event = writeEvent(draft, entry, { fact, postings, effectiveAtMs, control, linked, seq })
    draft.postings.push(
      ...computeRunningBalances(postings, seq, (code) => model.getBalance(cache, code)),
    )
    model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }, cache)
    return { outcome: 'recorded', isReplay: false, event }
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

/** Adds all events of the group, or all its refusals, and returns one answer for each command. */
function writeLinkedCommands(args: {
  draft: Draft
  entry: LinkedEntry
  decision: LinkedDecision
}): readonly Answer[] {
  const { draft, entry, decision } = args
  const { length } = entry.members
  try {
    return entry.members.map((member, index): Answer => {
      const linked = { index, length }
      if ('refusals' in decision) {
        return writeRefusal(draft, member, { refusal: getItem(decision.refusals, index), linked })
      }
      const { decided, postings } = getItem(decision.steps, index)
      const { control = null, ...event } = decided
      const seq = draft.frontier.size
      draft.postings.push(...postings)
      const recorded = writeEvent(draft, member, { ...event, control, linked, seq })
      return { outcome: 'recorded', isReplay: false, event: recorded }
    })
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}
