import type { Command, RecordedEvent } from '@cairn/ledger-contracts'
import { canonicalJson } from './canonical.ts'
import { sha256 } from './sha256.ts'

/** What is written; every version before it is still read. */
export const SCHEMA_VERSION = 2

/**
 * An event as the log keeps it. The leaf hash covers the canonical JSON of all these members:
 * times are ISO 8601 in UTC with milliseconds, hashes and salt lower-case hex, integers digits in
 * strings. Stored bytes never change; a new form is a new `schemaVersion` beside the old one.
 */
export interface Envelope {
  ledger: number
  seq: bigint
  type: string
  schemaVersion: number
  actor: string
  recordedAt: string
  effectiveAt: string
  /** SHA-256 of the command's type, data and effective time. */
  requestHash: string
  /** SHA-256 of the actor and the idempotency key; null without a key. Since version 2. */
  idempotencyHash: string | null
  /** 128 random bits: a small event could otherwise be guessed from its neighbours' hashes. */
  salt: string
  data: object
  postings: readonly { account: string; amountMinor: bigint }[]
}

/**
 * As `canonicalJson` would, but for the members' order, which is known, and for what is hex, digits
 * or an instant and needs no escaping. `data` is the canonical JSON of the data.
 */
export function encodeEnvelope(envelope: Envelope, data = canonicalJson(envelope.data)): Buffer {
  const { idempotencyHash, ledger, postings, schemaVersion, seq } = envelope
  const key = idempotencyHash === null ? 'null' : `"${idempotencyHash}"`
  return Buffer.from(
    `{"actor":${canonicalJson(envelope.actor)},"data":${data},` +
      `"effectiveAt":"${envelope.effectiveAt}","idempotencyHash":${key},"ledger":"${ledger}",` +
      `"postings":[${postingsText(postings)}],"recordedAt":"${envelope.recordedAt}",` +
      `"requestHash":"${envelope.requestHash}","salt":"${envelope.salt}",` +
      `"schemaVersion":"${schemaVersion}","seq":"${seq}","type":${canonicalJson(envelope.type)}}`,
    'utf8',
  )
}

/** Canonical JSON, without the brackets. */
export function postingsText(
  postings: readonly { account: string; amountMinor: bigint }[],
): string {
  let text = ''
  for (const { account, amountMinor } of postings) {
    const comma = text === '' ? '' : ','
    text += `${comma}{"account":${canonicalJson(account)},"amountMinor":"${amountMinor}"}`
  }
  return text
}

/** What `readEvent` will say of its bytes, member by member, without reading them back. */
export function eventOf(envelope: Envelope, data = canonicalJson(envelope.data)): RecordedEvent {
  const { seq, type, schemaVersion, actor, recordedAt, effectiveAt, postings } = envelope
  return {
    ...{ seq, type, schemaVersion, actor, recordedAt, effectiveAt },
    data: JSON.parse(data),
    postings: postings.map(({ account, amountMinor }) => ({ account, amountMinor })),
  }
}

/** The event as it is answered and fed, read from the stored bytes alone. */
export function readEvent(bytes: Buffer): RecordedEvent {
  const { requestHash: _, idempotencyHash: __, ...event } = readEnvelope(bytes)
  return event
}

/** With what the command asked for and under which key, as `verify` compares it. */
export interface StoredEvent extends RecordedEvent {
  requestHash: string
  /** Undefined: version 1 does not say. */
  idempotencyHash: string | null | undefined
}

export function readEnvelope(bytes: Buffer): StoredEvent {
  const stored = JSON.parse(bytes.toString('utf8'))
  const schemaVersion = Number(stored.schemaVersion)
  if (schemaVersion !== 1 && schemaVersion !== SCHEMA_VERSION) {
    throw new Error(`event ${stored.seq} has the unknown schema version ${stored.schemaVersion}`)
  }
  return {
    seq: BigInt(stored.seq),
    type: stored.type,
    schemaVersion,
    actor: stored.actor,
    recordedAt: stored.recordedAt,
    effectiveAt: stored.effectiveAt,
    requestHash: stored.requestHash,
    idempotencyHash: schemaVersion === 1 ? undefined : stored.idempotencyHash,
    data: stored.data,
    postings: stored.postings.map((posting: { account: string; amountMinor: string }) => ({
      account: posting.account,
      amountMinor: BigInt(posting.amountMinor),
    })),
  }
}

export function requestHashOf(command: Command): Buffer {
  return hashedRequest(command).requestHash
}

/** With how long the request is: what it takes of the queue. */
export function hashedRequest({ type, data, effectiveAt }: Command): {
  requestHash: Buffer
  length: number
} {
  const request = canonicalJson({ type, data, effectiveAt })
  return { requestHash: sha256(request), length: request.length }
}

/** Keys belong to the one who uses them: the same key of two actors is two keys. */
export function idempotencyHashOf({ actor, key }: Command): Buffer | null {
  return key === null ? null : sha256(`${actor}\u0000${key}`)
}
