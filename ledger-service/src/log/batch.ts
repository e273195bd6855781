import { type Answer, describeRefusal } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { type Draft, startDraft, writeEvent, writeRefusal } from './draft.ts'
import type { Entry, Settled } from './entry.ts'
import type { Head } from './head.ts'
import { computeRoot } from './merkle.ts'
import type { Decision, Model, Refusal } from './model.ts'
import { createPooledRandom } from './pooled-random.ts'
import { assertZeroSum, computeRunningBalances } from './running-balances.ts'
import type { BatchRows, Table } from './table.ts'
import { eventTable, postingTable, refusalTable, subtreeTable } from './tables.ts'
import type { Cache, Need, View } from './view.ts'

export interface Batch {
  entries: readonly Entry[]
  from: Head
  to: Head
  root: Buffer
  firstLeaf: Buffer | null
  rows: BatchRows
  /** One answer per entry, in their order. Valid only after the statement has committed. */
  answers: readonly Answer[]
}

/** A bug occurred while `culprit` was decided. The batch must be discarded. */
export class PoisonedBatch extends Error {
  override readonly name = 'PoisonedBatch'
  readonly culprit: Entry
  constructor(culprit: Entry, cause: unknown) {
    super(`${culprit.command.type} cannot be processed`, { cause })
    this.culprit = culprit
  }
}

/** A batch that accepts and decides entries while another batch commits. */
export interface OpenBatch {
  readonly entries: readonly Entry[]
  /**
   * Decides entries in order and stops at the first one that needs rows that are not loaded.
   * Returns this entry and all after it. The caller loads the rows and adds these entries again.
   */
  add(entries: readonly Entry[], settled: ReadonlyMap<string, Settled>): readonly Entry[]
  /** Returns the rows of the decided entries. Returns the same map until an entry is added. */
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
  const answers: Answer[] = []
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

  function decideOrReplay(entry: Entry, settled: ReadonlyMap<string, Settled>): Answer | null {
    const known = settled.get(entry.idempotencyHash?.toString('hex') ?? '')
    if (known !== undefined) return getStoredAnswer(known, entry)
    if (isPoison(entry)) return toPoisonAnswer(entry)
    // A batch can contain both a request and its approval. The investor of the approval then
    // becomes known only here.
    if (cache.listMissing(listNeeds(model, entry, cache)).length > 0) return null
    const decision = decideOne(model, entry, cache, draft.recordedAtMs)
    if ('refusal' in decision) return writeRefusal(draft, entry, decision.refusal)
    return recordEntry({ draft, entry, decision, cache, model })
  }

  return {
    entries,
    add: (added, settled) => {
      draft.recordedAtMs = Math.max(clock.now(), draft.recordedAtMs)
      collectedRows = null
      for (const [place, entry] of added.entries()) {
        const answer = decideOrReplay(entry, settled)
        if (answer === null) return added.slice(place)
        entries.push(entry)
        answers.push(answer)
      }
      return []
    },
    getRows: collectRows,
    close: () => {
      const batch = {
        entries,
        from: head,
        to: {
          ...head,
          frontier: draft.frontier,
          refusals: draft.chain,
          areRefusalsSealed: draft.isChainSealed,
          lastRecordedAtMs: draft.recordedAtMs,
        },
        root: computeRoot(draft.frontier),
        firstLeaf: draft.events[0]?.leafHash ?? null,
        rows: collectRows(),
        answers,
      }
      cache.forgetChanges()
      return batch
    },
  }
}

/**
 * Returns the rows that the decider needs, as far as they can be determined from the loaded rows.
 */
function listNeeds(model: Model, entry: Entry, cache: Cache): readonly Need[] {
  try {
    return model.needs(entry.command, cache)
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

/** Throws PoisonedBatch if the decider throws. Deciders throw only because of bugs. */
function decideOne(model: Model, entry: Entry, view: View, recordedAtMs: number): Decision {
  const { command } = entry
  const effectiveAtMs =
    command.effectiveAt === null ? recordedAtMs : Date.parse(command.effectiveAt)
  try {
    const { requestHash } = entry
    const context = { actor: command.actor, recordedAtMs, effectiveAtMs, requestHash }
    return model.decide(command, view, context)
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

function recordEntry(args: {
  draft: Draft
  entry: Entry
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
    const event = writeEvent(draft, entry, { fact, postings, effectiveAtMs, control, seq })
    draft.postings.push(
      ...computeRunningBalances(postings, seq, (code) => model.getBalance(cache, code)),
    )
    model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }, cache)
    return { outcome: 'recorded', isReplay: false, event }
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

/** Returns the stored answer, or the refusal `KEY_REUSED` if the command has other content. */
export function getStoredAnswer(known: Settled, entry: Entry): Answer {
  if (!known.requestHash.equals(entry.requestHash)) {
    return { outcome: 'refused', ...describeRefusal('keyReused') }
  }
  return known.answer.outcome === 'recorded' ? { ...known.answer, isReplay: true } : known.answer
}

export function toPoisonAnswer(entry: Entry): Answer {
  const message = `${entry.command.type} could not be processed; nothing was recorded`
  return { outcome: 'failed', code: 'POISON', message }
}
