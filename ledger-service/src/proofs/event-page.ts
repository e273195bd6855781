import type { RowReader } from '../database/copy-rows.ts'
import { canonicalJson } from '../log/canonical.ts'
import { postingsText, readEnvelope, type StoredEvent } from '../log/envelope.ts'
import { HASH_BYTES, leafHash } from '../log/merkle.ts'

/** The columns of `ledger.event`, in the order in which a page has them. */
export const EVENT_COLUMNS =
  'seq, type, actor, recorded_at, effective_at, schema_version, request_hash, idempotency_hash, ' +
  'bytes, leaf_hash'

/** What a page of events says, for whoever knows the events before it and the postings beside it. */
export interface CheckedPage {
  seqs: BigInt64Array
  /** What the bytes of each post: canonical JSON, without the brackets. A line for each. */
  posted: string
  /** The leaf hashes as stored, one behind the other. */
  leaves: Buffer
  /** By place in the page; nearly always none. */
  problems: readonly { place: number; found: readonly string[] }[]
  isLast: boolean
}

export interface CheckedEvent {
  seq: bigint
  posted: string
  leaf: Buffer
  problems: readonly string[]
}

interface EventRow {
  ledger: number
  seq: bigint
  type: string
  actor: string
  recordedAtUs: number
  effectiveAtUs: number
  schemaVersion: number
  requestHash: string
  idempotencyHash: string | null
  text: string
  /** What its bytes have, and what is stored as its leaf hash. */
  hash: Buffer
  leaf: Buffer
}

/** Whether the bytes of an event have its leaf hash and say what its columns copy. */
export function checkRow(ledger: number, row: RowReader): CheckedEvent {
  const event = readRow(ledger, row)
  const { seq, leaf } = event
  const problems = event.hash.equals(leaf) ? NONE : ['its bytes do not have its leaf hash']
  const posted = writtenPostings(event)
  if (posted !== null) return { seq, posted, leaf, problems }
  const read = readable(event.text)
  if (read === null) {
    return { seq, posted: '', leaf, problems: [...problems, 'its bytes are not an event'] }
  }
  return {
    ...{ seq, leaf, posted: postingsText(read.postings) },
    problems: isCopied(read, event) ? problems : [...problems, 'a column differs from its bytes'],
  }
}

/** In the fewest pieces: between threads each object of its own costs more than what it holds. */
export function toPage(events: readonly CheckedEvent[], isLast: boolean): CheckedPage {
  return {
    seqs: BigInt64Array.from(events, ({ seq }) => seq),
    posted: events.map(({ posted }) => posted).join('\n'),
    leaves: Buffer.concat(
      events.map(({ leaf }) => leaf),
      events.length * HASH_BYTES,
    ),
    problems: events.flatMap(({ problems: found }, place) =>
      found.length === 0 ? [] : [{ place, found }],
    ),
    isLast,
  }
}

const NONE: readonly string[] = []

function readRow(ledger: number, row: RowReader): EventRow {
  return {
    ledger,
    seq: row.int8(),
    type: row.text(),
    actor: row.text(),
    recordedAtUs: row.microseconds(),
    effectiveAtUs: row.microseconds(),
    schemaVersion: row.int4(),
    requestHash: row.hex(),
    idempotencyHash: row.hexOrNull(),
    ...hashed(row.bytes()),
    // The row's own bytes are gone when the next one comes.
    leaf: Buffer.from(row.bytes()),
  }
}

function hashed(bytes: Buffer): { text: string; hash: Buffer } {
  return { text: bytes.toString('utf8'), hash: leafHash(bytes) }
}

const SALT = /^[0-9a-f]{32}$/
const SALT_LENGTH = 32

/**
 * The postings, if the bytes around them are what the writer makes of these columns. It is the quick
 * way to say that nothing is wrong, as nearly always; what it does not recognise is read member by
 * member. Quotes within texts are escaped, so a member's name is never found inside of one.
 */
function writtenPostings(row: EventRow): string | null {
  const { text, schemaVersion } = row
  const head = `{"actor":${canonicalJson(row.actor)},"data":`
  const key = schemaVersion === 1 ? '' : keyMember(row.idempotencyHash)
  const middle = `,"effectiveAt":"${instant(row.effectiveAtUs)}",${key}"ledger":"${row.ledger}","postings":[`
  const beforeSalt = `],"recordedAt":"${instant(row.recordedAtUs)}","requestHash":"${row.requestHash}","salt":"`
  const tail = `","schemaVersion":"${schemaVersion}","seq":"${row.seq}","type":${canonicalJson(row.type)}}`

  const dataEnd = text.indexOf(',"effectiveAt":"', head.length)
  if (!text.startsWith(head) || !text.startsWith(middle, dataEnd)) return null
  if (!isObject(text.slice(head.length, dataEnd))) return null
  const postingsAt = dataEnd + middle.length
  const postingsEnd = text.indexOf('],"recordedAt":"', postingsAt)
  if (postingsEnd < 0 || !text.startsWith(beforeSalt, postingsEnd)) return null
  const saltAt = postingsEnd + beforeSalt.length
  if (!SALT.test(text.slice(saltAt, saltAt + SALT_LENGTH))) return null
  const isWhole = text.length === saltAt + SALT_LENGTH + tail.length && text.endsWith(tail)
  return isWhole ? text.slice(postingsAt, postingsEnd) : null
}

function keyMember(idempotencyHash: string | null): string {
  return idempotencyHash === null
    ? '"idempotencyHash":null,'
    : `"idempotencyHash":"${idempotencyHash}",`
}

/** A whole JSON object and nothing beside it: then the members around it stand where they seem to. */
function isObject(text: string): boolean {
  try {
    return text.startsWith('{') && JSON.parse(text) !== null
  } catch {
    return false
  }
}

const INSTANTS_MAX = 1_000
const instants = new Map<number, string>()

/** Remembered: many events were recorded, or took effect, at one moment. */
function instant(microseconds: number): string {
  const known = instants.get(microseconds)
  if (known !== undefined) return known
  const isWhole = microseconds % 1_000 === 0
  const text = isWhole ? new Date(microseconds / 1_000).toISOString() : ''
  if (instants.size >= INSTANTS_MAX) instants.clear()
  instants.set(microseconds, text)
  return text
}

function readable(text: string): StoredEvent | null {
  try {
    return readEnvelope(Buffer.from(text))
  } catch {
    return null
  }
}

function isCopied(event: StoredEvent, row: EventRow): boolean {
  return (
    event.seq === row.seq &&
    event.type === row.type &&
    event.actor === row.actor &&
    event.schemaVersion === row.schemaVersion &&
    event.requestHash === row.requestHash &&
    // Events of version 1 do not say under which key they were asked for.
    (event.idempotencyHash === undefined || event.idempotencyHash === row.idempotencyHash) &&
    Date.parse(event.recordedAt) * 1_000 === row.recordedAtUs &&
    Date.parse(event.effectiveAt) * 1_000 === row.effectiveAtUs
  )
}
