import {
  type Answer,
  type Command,
  type Control,
  describeRefusal,
  type Fact,
  formatCanonicalJson,
  type Posting,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { type Envelope, encodeEnvelope, SCHEMA_VERSION, toEvent } from './envelope.ts'
import { append, computeRoot, type Frontier, hashLeaf } from './merkle.ts'
import type { Decision, Model, Refusal } from './model.ts'
import { createPooledRandom } from './pooled-random.ts'
import { encodeRefusal, extendChain, type RefusalChain } from './refusal-chain.ts'
import { assertZeroSum, computeRunningBalances } from './running-balances.ts'
import type { BatchRows, Row, RowOf, Table } from './table.ts'
import { eventTable, postingTable, refusalTable, subtreeTable } from './tables.ts'
import type { Cache, Need, View } from './view.ts'

const SALT_BYTES = 16

/** A queued command with the hashes that are computed before it enters the queue. */
export interface Entry {
  command: Command
  requestHash: Buffer
  idempotencyHash: Buffer | null
  queuedAtMs: number
  bytes: number
  answer(answer: Answer): void
  /** Called instead of `answer` if the outcome is not known. */
  lose(error: unknown): void
}

/** The stored answer to an earlier command with the same idempotency key. */
export interface Settled {
  requestHash: Buffer
  answer: Answer
}

export interface Head {
  ledger: number
  /** The fencing token that the writer received when it took this head. */
  token: bigint
  /** The token that `token` replaced. */
  previousToken: bigint
  frontier: Frontier
  refusals: RefusalChain
  /**
   * True if an event contains the hash of `refusals`. False after the head was taken, because the
   * newest event was not read.
   */
  areRefusalsSealed: boolean
  lastRecordedAtMs: number
}

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
  /** True for an entry that already failed because of a bug. It is not decided again. */
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
    if (known !== undefined) return answerAgain(known, entry)
    if (isPoison(entry)) return toPoisonAnswer(entry)
    // A batch can contain both a request and its approval. The investor of the approval then
    // becomes known only here.
    if (cache.listMissing(listNeeds(model, entry, cache)).length > 0) return null
    const decision = decideOne(model, entry, cache, draft.recordedAtMs)
    if ('refusal' in decision) return refuseEntry(draft, entry, decision.refusal)
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

interface Draft {
  ledger: number
  recordedAtMs: number
  random(bytes: number): Buffer
  frontier: Frontier
  chain: RefusalChain
  isChainSealed: boolean
  events: RowOf<typeof eventTable>[]
  postings: RowOf<typeof postingTable>[]
  subtrees: Row<(typeof subtreeTable)['columns']>[]
  refusals: RowOf<typeof refusalTable>[]
}

function startDraft(head: Head, random: Draft['random']): Draft {
  return {
    ledger: head.ledger,
    recordedAtMs: head.lastRecordedAtMs,
    random,
    frontier: head.frontier,
    chain: head.refusals,
    isChainSealed: head.areRefusalsSealed,
    events: [],
    postings: [],
    subtrees: [],
    refusals: [],
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

function writeEvent(
  draft: Draft,
  entry: Entry,
  event: {
    fact: Fact
    postings: readonly Posting[]
    effectiveAtMs: number
    control: Control | null
    seq: bigint
  },
): RecordedEvent {
  const { command, requestHash, idempotencyHash } = entry
  const envelope: Envelope = {
    ledger: draft.ledger,
    seq: event.seq,
    type: event.fact.type,
    schemaVersion: SCHEMA_VERSION,
    actor: command.actor,
    recordedAt: new Date(draft.recordedAtMs).toISOString(),
    effectiveAt: new Date(event.effectiveAtMs).toISOString(),
    control: event.control,
    refusals: draft.isChainSealed ? null : draft.chain.hash.toString('hex'),
    requestHash: requestHash.toString('hex'),
    idempotencyHash: idempotencyHash?.toString('hex') ?? null,
    salt: draft.random(SALT_BYTES).toString('hex'),
    data: event.fact.data,
    postings: event.postings,
  }
  const data = formatCanonicalJson(envelope.data)
  const bytes = encodeEnvelope(envelope, data)
  const leaf = hashLeaf(bytes)
  const { frontier, completed } = append(draft.frontier, leaf)
  draft.frontier = frontier
  draft.isChainSealed = true
  draft.subtrees.push(...completed)
  draft.events.push({
    seq: event.seq,
    type: event.fact.type,
    schemaVersion: SCHEMA_VERSION,
    actor: command.actor,
    recordedAt: draft.recordedAtMs,
    effectiveAt: event.effectiveAtMs,
    requestHash,
    idempotencyHash,
    bytes,
    leafHash: leaf,
  })
  return toEvent(envelope, data)
}

function refuseEntry(draft: Draft, entry: Entry, refusal: Refusal): Answer {
  const { code, message, details } = refusal
  if (entry.idempotencyHash !== null) {
    const { chain, ledger, frontier, recordedAtMs } = draft
    const place = { place: chain.count, size: frontier.size }
    const stored = { ledger, ...place, recordedAtMs, command: entry.command, refusal }
    const bytes = encodeRefusal(stored, draft.random(SALT_BYTES))
    draft.refusals.push({
      place: chain.count,
      idempotencyHash: entry.idempotencyHash,
      requestHash: entry.requestHash,
      code,
      message,
      details: JSON.stringify(details),
      recordedAt: recordedAtMs,
      bytes,
    })
    draft.chain = extendChain(chain, bytes)
    draft.isChainSealed = false
  }
  return { outcome: 'refused', code, message, details: { ...details } }
}

/** Returns the stored answer, or the refusal `KEY_REUSED` if the command has other content. */
export function answerAgain(known: Settled, entry: Entry): Answer {
  if (!known.requestHash.equals(entry.requestHash)) {
    return { outcome: 'refused', ...describeRefusal('keyReused') }
  }
  return known.answer.outcome === 'recorded' ? { ...known.answer, isReplay: true } : known.answer
}

export function toPoisonAnswer(entry: Entry): Answer {
  const message = `${entry.command.type} could not be processed; nothing was recorded`
  return { outcome: 'failed', code: 'POISON', message }
}
