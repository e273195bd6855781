import {
  type Command,
  type Control,
  formatCanonicalJson,
  formatCanonicalRequest,
  type LinkedPlace,
  type Metadata,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { sha256 } from './sha256.ts'

/** The version of all events. Older versions cannot be read. */
export const SCHEMA_VERSION = 3

/**
 * An event as stored in the log; the leaf hash covers the canonical JSON of all members. The stored
 * bytes never change, so a new format needs a new `schemaVersion`.
 */
export interface Envelope {
  ledger: number
  seq: bigint
  type: string
  schemaVersion: number
  actor: string
  recordedAt: string
  effectiveAt: string
  /** Null if the event needs no approver. The encoded bytes then omit this member. */
  control: Control | null
  /** Null if the command was not linked with others. The encoded bytes then omit this member. */
  linked: LinkedPlace | null
  /** The id in another system. If it is null, the encoded bytes omit this member. */
  externalId: string | null
  /** The metadata of the command. If it is null, the encoded bytes omit this member. */
  metadata: Metadata | null
  /**
   * The hash of the chain of refusals, if refusals were stored since the event before this one.
   * Otherwise null, and the encoded bytes omit this member.
   */
  refusals: string | null
  /** SHA-256 of the command's type, data, effective time, external id and metadata. */
  requestHash: string
  /** SHA-256 of the actor and the idempotency key. Null if the command had no key. */
  idempotencyHash: string | null
  /** 128 random bits, so that the content of an event cannot be guessed from published hashes. */
  salt: string
  data: object
  postings: readonly { account: string; amountMinor: bigint }[]
}

/**
 * Returns the same bytes as `formatCanonicalJson(envelope)` in UTF-8, but faster. `data` must be the
 * canonical JSON of `envelope.data`.
 */
export function encodeEnvelope(
  envelope: Envelope,
  data = formatCanonicalJson(envelope.data),
): Buffer {
  const { idempotencyHash, ledger, postings, schemaVersion, seq } = envelope
  const key = idempotencyHash === null ? 'null' : `"${idempotencyHash}"`
  return Buffer.from(
    `{"actor":${formatCanonicalJson(envelope.actor)},${formatControl(envelope.control)}"data":${data},` +
      `"effectiveAt":"${envelope.effectiveAt}",${formatMember('externalId', envelope.externalId)}` +
      `"idempotencyHash":${key},"ledger":"${ledger}",${formatLinked(envelope.linked)}` +
      `${formatMember('metadata', envelope.metadata)}"postings":[${formatPostings(postings)}],"recordedAt":"${envelope.recordedAt}",` +
      `${formatRefusals(envelope.refusals)}"requestHash":"${envelope.requestHash}",` +
      `"salt":"${envelope.salt}","schemaVersion":"${schemaVersion}","seq":"${seq}",` +
      `"type":${formatCanonicalJson(envelope.type)}}`,
    'utf8',
  )
}

function formatControl(control: Control | null): string {
  return control === null ? '' : `"control":${formatCanonicalJson(control)},`
}

/** Returns nothing if the value is null, because most events have no such member. */
function formatMember(name: string, value: string | Metadata | null): string {
  return value === null ? '' : `"${name}":${formatCanonicalJson(value)},`
}

function formatLinked(linked: LinkedPlace | null): string {
  return linked === null ? '' : `"linked":{"index":"${linked.index}","length":"${linked.length}"},`
}

function formatRefusals(hash: string | null): string {
  return hash === null ? '' : `"refusals":"${hash}",`
}

/** Returns the canonical JSON of the postings without the array brackets. */
export function formatPostings(
  postings: readonly { account: string; amountMinor: bigint }[],
): string {
  let text = ''
  for (const { account, amountMinor } of postings) {
    const comma = text === '' ? '' : ','
    text += `${comma}{"account":${formatCanonicalJson(account)},"amountMinor":"${amountMinor}"}`
  }
  return text
}

/** Returns the same value as `readEvent` of the encoded envelope, without parsing the bytes. */
export function toEvent(
  envelope: Envelope,
  data = formatCanonicalJson(envelope.data),
): RecordedEvent {
  const { seq, type, schemaVersion, actor, recordedAt, effectiveAt, postings } = envelope
  const { control, linked, externalId, metadata } = envelope
  return {
    seq,
    type,
    schemaVersion,
    actor,
    recordedAt,
    effectiveAt,
    control: control === null ? null : orderControl(control),
    linked: linked === null ? null : { index: linked.index, length: linked.length },
    externalId,
    // Parsed, so that the keys have the same order as in the stored bytes.
    metadata: metadata === null ? null : JSON.parse(formatCanonicalJson(metadata)),
    data: JSON.parse(data),
    postings: postings.map(({ account, amountMinor }) => ({ account, amountMinor })),
  }
}

/**
 * Returns a copy with the members in the order of the stored bytes. Repeated answers are read from
 * these bytes, and the first answer must be serialized in the same way.
 */
function orderControl({ approvals, rulesVersion }: Control): Control {
  const ordered = approvals.map(({ approvedAt, approver }) => ({ approvedAt, approver }))
  return { approvals: ordered, rulesVersion }
}

/** Parses the event of an answer or of the feed from the stored bytes. */
export function readEvent(bytes: Buffer): RecordedEvent {
  const { requestHash: _, idempotencyHash: __, refusals: ___, ...event } = readEnvelope(bytes)
  return event
}

/** An event with all hashes that it contains, for verification. */
export interface StoredEvent extends RecordedEvent {
  refusals: string | null
  requestHash: string
  idempotencyHash: string | null
}

export function readEnvelope(bytes: Buffer): StoredEvent {
  const stored = JSON.parse(bytes.toString('utf8'))
  const schemaVersion = Number(stored.schemaVersion)
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new Error(`event ${stored.seq} has the unknown schema version ${stored.schemaVersion}`)
  }
  return {
    seq: BigInt(stored.seq),
    type: stored.type,
    schemaVersion,
    actor: stored.actor,
    recordedAt: stored.recordedAt,
    effectiveAt: stored.effectiveAt,
    control: parseControl(stored.control),
    linked: parseLinked(stored.linked),
    externalId: stored.externalId ?? null,
    metadata: stored.metadata ?? null,
    refusals: stored.refusals ?? null,
    requestHash: stored.requestHash,
    idempotencyHash: stored.idempotencyHash,
    data: stored.data,
    postings: stored.postings.map((posting: { account: string; amountMinor: string }) => ({
      account: posting.account,
      amountMinor: BigInt(posting.amountMinor),
    })),
  }
}

/** Converts the version to a number. In the stored bytes, integers are strings of digits. */
function parseControl(
  stored: { approvals: Control['approvals']; rulesVersion: string } | undefined,
) {
  if (stored === undefined) return null
  return { approvals: stored.approvals, rulesVersion: Number(stored.rulesVersion) }
}

function parseLinked(stored: { index: string; length: string } | undefined): LinkedPlace | null {
  if (stored === undefined) return null
  return { index: Number(stored.index), length: Number(stored.length) }
}

export function getRequestHash(command: Command): Buffer {
  return hashRequest(command).requestHash
}

/**
 * Returns the request hash, and the length of the request in characters. The limit of the queue
 * counts this length.
 */
export function hashRequest(command: Command): {
  requestHash: Buffer
  length: number
} {
  const request = formatCanonicalRequest(command)
  return { requestHash: sha256(request), length: request.length }
}

/** Returns the hash of the actor and the key, so that two actors can use the same key. */
export function hashIdempotencyKey({ actor, key }: Command): Buffer | null {
  return key === null ? null : sha256(`${actor}\u0000${key}`)
}
