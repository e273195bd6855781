import {
  type Answer,
  type Control,
  type Fact,
  isRequestImplied,
  type LinkedPlace,
  type Posting,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import type { HashedCommand } from './entry.ts'
import { type Envelope, encodeEnvelope, formatData, SCHEMA_VERSION, toEvent } from './envelope.ts'
import type { Head } from './head.ts'
import { append, type Frontier, hashLeaf } from './merkle.ts'
import type { Refusal } from './model.ts'
import { encodeRefusal, extendChain, type RefusalChain } from './refusal-chain.ts'
import type { Row, RowOf } from './table.ts'
import type { eventTable, postingTable, refusalTable, subtreeTable } from './tables.ts'

const SALT_BYTES = 16

/** The rows of an open batch, and the head after them. */
export interface Draft {
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

export function startDraft(head: Head, random: Draft['random']): Draft {
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

/** Adds the event and its leaf, and returns the event in the form in which the caller gets it. */
export function writeEvent(
  draft: Draft,
  hashed: HashedCommand,
  event: {
    fact: Fact
    postings: readonly Posting[]
    effectiveAtMs: number
    control: Control | null
    linked: LinkedPlace | null
    seq: bigint
  },
): RecordedEvent {
  const { command, requestHash, idempotencyHash } = hashed
  const { externalId = null, metadata = null } = command
  const envelope: Envelope = {
    seq: event.seq,
    type: event.fact.type,
    schemaVersion: SCHEMA_VERSION,
    actor: command.actor,
    recordedAt: new Date(draft.recordedAtMs).toISOString(),
    effectiveAt: new Date(event.effectiveAtMs).toISOString(),
    control: event.control,
    linked: event.linked,
    externalId,
    metadata,
    refusals: draft.isChainSealed ? null : draft.chain.hash.toString('base64url'),
    requestHash: isRequestImplied(event.fact.type, command)
      ? null
      : requestHash.toString('base64url'),
    idempotencyHash: idempotencyHash?.toString('base64url') ?? null,
    salt: draft.random(SALT_BYTES).toString('base64url'),
    data: event.fact.data,
    postings: event.postings,
  }
  const data = formatData(envelope)
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
    externalId,
    bytes,
    leafHash: leaf,
  })
  return toEvent(envelope, data)
}

/** Adds the refusal to the chain if its command had an idempotency key, and returns the answer. */
export function writeRefusal(
  draft: Draft,
  { command, requestHash, idempotencyHash }: HashedCommand,
  { refusal, linked }: { refusal: Refusal; linked: LinkedPlace | null },
): Answer {
  const { code, message, details } = refusal
  if (idempotencyHash !== null) {
    const { chain, ledger, frontier, recordedAtMs } = draft
    const place = { place: chain.count, size: frontier.size }
    const stored = { ledger, ...place, recordedAtMs, command, refusal, linked }
    const bytes = encodeRefusal(stored, draft.random(SALT_BYTES))
    draft.refusals.push({
      place: chain.count,
      idempotencyHash,
      requestHash,
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
