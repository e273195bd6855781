import { type RowReader, rowsIn } from '../database/copy-rows.ts'
import { canonicalJson } from '../log/canonical.ts'
import { postingsText, readEnvelope, type StoredEvent } from '../log/envelope.ts'
import { HASH_BYTES, leafHash } from '../log/merkle.ts'

/** The columns of `ledger.event`, in the order in which a page has them. */
export const EVENT_COLUMNS =
  'seq, type, actor, recorded_at, effective_at, schema_version, request_hash, idempotency_hash, ' +
  'bytes, leaf_hash'

/** What a page of events says, for whoever knows the events before it and the postings beside it. */
export interface CheckedPage {
  events: readonly CheckedEvent[]
  /** The leaf hashes as stored, one behind the other. */
  leaves: Buffer
}

interface CheckedEvent {
  seq: bigint
  /** What its bytes post: canonical JSON, without the brackets. */
  posted: string
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

/** Whether the bytes of each event have its leaf hash and say what its columns copy. */
export function checkPage(ledger: number, page: Buffer): CheckedPage {
  const events: CheckedEvent[] = []
  const leaves: Buffer[] = []
  for (const row of rowsIn(page)) {
    const event = readRow(ledger, row)
    events.push(checkEvent(event))
    leaves.push(event.leaf)
  }
  return { events, leaves: Buffer.concat(leaves, events.length * HASH_BYTES) }
}

function checkEvent(event: EventRow): CheckedEvent {
  const { seq } = event
  const isHashed = event.hash.equals(event.leaf)
  const problems = isHashed ? NONE : ['its bytes do not have its leaf hash']
  const posted = writtenPostings(event)
  if (posted !== null) return { seq, posted, problems }
  const read = readable(event.text)
  if (read === null)
    return { seq, posted: '', problems: [...problems, 'its bytes are not an event'] }
  return {
    seq,
    posted: postingsText(read.postings),
    problems: isCopied(read, event) ? problems : [...problems, 'a column differs from its bytes'],
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
    leaf: row.bytes(),
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
  let at = 0
  const goesOn = (piece: string): boolean => {
    const isNext = text.startsWith(piece, at)
    at += piece.length
    return isNext
  }

  if (!(goesOn('{"actor":') && goesOn(canonicalJson(row.actor)) && goesOn(',"data":'))) return null
  const dataEnd = text.indexOf(',"effectiveAt":"', at)
  if (!isObject(text.slice(at, dataEnd))) return null
  at = dataEnd
  if (!(goesOn(',"effectiveAt":"') && goesOn(instant(row.effectiveAtUs)) && goesOn('",')))
    return null
  if (schemaVersion !== 1 && !goesOn(keyMember(row.idempotencyHash))) return null
  if (!(goesOn('"ledger":"') && goesOn(String(row.ledger)) && goesOn('","postings":['))) return null
  const postingsEnd = text.indexOf('],"recordedAt":"', at)
  const posted = text.slice(at, postingsEnd)
  at = postingsEnd
  if (!(goesOn('],"recordedAt":"') && goesOn(instant(row.recordedAtUs)))) return null
  if (!(goesOn('","requestHash":"') && goesOn(row.requestHash) && goesOn('","salt":"'))) return null
  if (!SALT.test(text.slice(at, at + SALT_LENGTH))) return null
  at += SALT_LENGTH
  if (!(goesOn('","schemaVersion":"') && goesOn(String(schemaVersion)))) return null
  if (!(goesOn('","seq":"') && goesOn(row.seq.toString()) && goesOn('","type":'))) return null
  return goesOn(canonicalJson(row.type)) && goesOn('}') && at === text.length ? posted : null
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
