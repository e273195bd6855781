import {
  type Command,
  type Control,
  expandStoredData,
  formatCanonicalJson,
  formatCanonicalRequest,
  formatPostings,
  formatStoredData,
  getImpliedRequest,
  type LinkedPlace,
  type Metadata,
  type Posting,
  parsePostings,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { hashSha256 } from './sha256.ts'

/** The version of all events. Older versions cannot be read. */
export const SCHEMA_VERSION = 4

/**
 * An event as stored in the log. The leaf hash covers the canonical JSON that `encodeEnvelope`
 * returns. The stored bytes never change, so a new format needs a new `schemaVersion`. Hashes and
 * the salt are base64url. The bytes omit members that are null. The bytes do not contain the name
 * of the ledger, which every checkpoint contains.
 */
export interface Envelope {
  seq: bigint
  type: string
  /** Stored as `v`. */
  schemaVersion: number
  actor: string
  /** Stored as `at`. */
  recordedAt: string
  /** The bytes omit this member if it equals `recordedAt`. */
  effectiveAt: string
  /** Null if the event needs no approver. */
  control: Control | null
  /** Null if the command was not linked with other commands. */
  linked: LinkedPlace | null
  /** The id of the command in another system. */
  externalId: string | null
  metadata: Metadata | null
  /**
   * The hash of the chain of refusals, if refusals were stored since the previous event. Otherwise
   * null.
   */
  refusals: string | null
  /**
   * SHA-256 of the command's type, data, effective time, external id and metadata, stored as
   * `request`. Null if the event implies the command.
   */
  requestHash: string | null
  /** SHA-256 of the actor and the idempotency key, stored as `key`. Null if there was no key. */
  idempotencyHash: string | null
  /** 128 random bits, so that the content of an event cannot be guessed from published hashes. */
  salt: string
  data: object
  postings: readonly Posting[]
}

/**
 * Returns the canonical JSON of the stored members in UTF-8. `data` must be the result of
 * `formatStoredData`.
 */
export function encodeEnvelope(envelope: Envelope, data = formatData(envelope)): Buffer {
  const { recordedAt, effectiveAt, postings, schemaVersion, seq } = envelope
  return Buffer.from(
    `{"actor":${formatCanonicalJson(envelope.actor)},"at":"${recordedAt}",` +
      `${formatControl(envelope.control)}"data":${data},` +
      (effectiveAt === recordedAt ? '' : `"effectiveAt":"${effectiveAt}",`) +
      `${formatMember('externalId', envelope.externalId)}` +
      `${formatHash('key', envelope.idempotencyHash)}${formatLinkedPlace(envelope.linked)}` +
      `${formatMember('metadata', envelope.metadata)}"postings":[${formatPostings(postings)}],` +
      `${formatHash('refusals', envelope.refusals)}${formatHash('request', envelope.requestHash)}` +
      `"salt":"${envelope.salt}","seq":"${seq}",` +
      `"type":${formatCanonicalJson(envelope.type)},"v":"${schemaVersion}"}`,
    'utf8',
  )
}

export function formatData({ type, data, postings }: Envelope): string {
  return formatStoredData(type, data, postings)
}

function formatControl(control: Control | null): string {
  return control === null ? '' : `"control":${formatCanonicalJson(control)},`
}

/**
 * Returns the member as JSON text, or an empty text if its value is null. Most events have no such
 * member.
 */
function formatMember(name: string, value: string | Metadata | null): string {
  return value === null ? '' : `"${name}":${formatCanonicalJson(value)},`
}

function formatLinkedPlace(linked: LinkedPlace | null): string {
  return linked === null ? '' : `"linked":{"index":"${linked.index}","length":"${linked.length}"},`
}

function formatHash(name: string, hash: string | null): string {
  return hash === null ? '' : `"${name}":"${hash}",`
}

/** Returns the same value as `readEvent` of the encoded envelope, without parsing the bytes. */
export function toEvent(envelope: Envelope, data = formatData(envelope)): RecordedEvent {
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
    // The metadata is formatted and parsed, so that its keys have the order of the stored bytes.
    metadata: metadata === null ? null : JSON.parse(formatCanonicalJson(metadata)),
    data: expandStoredData(type, JSON.parse(data), postings),
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
  return parseEvent(JSON.parse(bytes.toString('utf8')))
}

/** An event with all hashes that it contains or implies, for verification. */
export interface StoredEvent extends RecordedEvent {
  refusals: string | null
  /** Null if the event implies the command; see `getEventRequestHash`. */
  requestHash: string | null
  idempotencyHash: string | null
}

export function readEnvelope(bytes: Buffer): StoredEvent {
  const stored: StoredMembers = JSON.parse(bytes.toString('utf8'))
  return {
    ...parseEvent(stored),
    refusals: stored.refusals ?? null,
    requestHash: stored.request ?? null,
    idempotencyHash: stored.key ?? null,
  }
}

/** Returns the request hash that the event stores or implies, in base64url. */
export function getEventRequestHash({ requestHash, type, data }: StoredEvent): string {
  return requestHash ?? hashImpliedRequest(type, { ...data })
}

/** Returns the request hash of an event that stores no request hash, in base64url. */
export function hashImpliedRequest(type: string, data: Readonly<Record<string, unknown>>): string {
  const request = getImpliedRequest(type, data)
  if (request === null) throw new Error(`an event ${type} must have a request hash`)
  return hashSha256(formatCanonicalRequest(request)).toString('base64url')
}

interface StoredMembers {
  seq: string
  type: string
  v: string
  actor: string
  at: string
  effectiveAt?: string
  control?: { approvals: Control['approvals']; rulesVersion: string }
  linked?: { index: string; length: string }
  externalId?: string
  metadata?: Metadata
  refusals?: string
  request?: string
  key?: string
  data: Readonly<Record<string, unknown>>
  postings: readonly string[]
}

function parseEvent(stored: StoredMembers): RecordedEvent {
  const schemaVersion = Number(stored.v)
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new Error(`event ${stored.seq} has the unknown schema version ${stored.v}`)
  }
  const { type, at: recordedAt, effectiveAt = recordedAt } = stored
  const postings = parsePostings(stored.postings)
  return {
    seq: BigInt(stored.seq),
    type,
    schemaVersion,
    actor: stored.actor,
    recordedAt,
    effectiveAt,
    control: parseControl(stored.control),
    linked: parseLinkedPlace(stored.linked),
    externalId: stored.externalId ?? null,
    metadata: stored.metadata ?? null,
    data: expandStoredData(type, stored.data, postings),
    postings,
  }
}

/** Converts the version to a number. In the stored bytes, integers are strings of digits. */
function parseControl(stored: StoredMembers['control']): Control | null {
  if (stored === undefined) return null
  return { approvals: stored.approvals, rulesVersion: Number(stored.rulesVersion) }
}

function parseLinkedPlace(stored: StoredMembers['linked']): LinkedPlace | null {
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
  return { requestHash: hashSha256(request), length: request.length }
}

/**
 * Returns the hash of the actor and the key together, so that a key that two actors use gives two
 * hashes.
 */
export function hashIdempotencyKey({ actor, key }: Command): Buffer | null {
  return key === null ? null : hashSha256(`${actor}\u0000${key}`)
}
