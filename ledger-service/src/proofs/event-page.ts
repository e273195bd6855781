import { isPlain } from '../log/canonical.ts'
import { postingsText, readEnvelope, type StoredEvent } from '../log/envelope.ts'
import { HASH_BYTES, leafHash } from '../log/merkle.ts'
import type { RowReader } from '../service/database/copy-rows.ts'

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
  /** What is stored as its leaf hash, and whether its bytes have that. */
  leaf: Buffer
  isHashed: boolean
}

/** Whether the bytes of an event have its leaf hash and say what its columns copy. */
export function checkRow(ledger: number, row: RowReader): CheckedEvent {
  const event = readRow(ledger, row)
  const { seq, leaf } = event
  const problems = event.isHashed ? NONE : ['its bytes do not have its leaf hash']
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
    ...hashed(row.bytes(), row.bytes()),
  }
}

function hashed(bytes: Buffer, leaf: Buffer) {
  const hash = leafHash(bytes)
  const isHashed = hash.equals(leaf)
  // The row's own bytes are gone when the next one comes.
  return { text: bytes.toString('utf8'), leaf: isHashed ? hash : Buffer.from(leaf), isHashed }
}

/** An object of plain texts, and no object within it: nearly all data. */
const FLAT_OBJECT = /\{(?:"[ !#-[\]-~]*":(?:"[ !#-[\]-~]*"|null|true|false)(?:,(?=")|(?=\})))*\}/y
const SALT = /[0-9a-f]{32}/y
const SALT_LENGTH = 32

/**
 * The postings, if the bytes around them are what the writer makes of these columns. It is the quick
 * way to say that nothing is wrong, as nearly always; what it does not recognise is read member by
 * member. Piece by piece: a text put together from them would have to be copied to be compared.
 */
function writtenPostings(row: EventRow): string | null {
  const { text, actor, type, idempotencyHash } = row
  // Of version 1, or with what is escaped: few enough to be read.
  if (row.schemaVersion !== 2 || !isPlain(actor) || !isPlain(type)) return null
  let at = 0
  const comes = (piece: string): boolean => {
    const from = at
    at += piece.length
    // A third of the time that `startsWith` takes.
    return text.slice(from, at) === piece
  }

  if (!comes('{"actor":"') || !comes(actor) || !comes('","data":')) return null
  at = objectEnd(text, at)
  if (!comes(effectivePiece(row.effectiveAtUs))) return null
  if (idempotencyHash === null) {
    if (!comes(keylessPiece(row.ledger))) return null
  } else if (!comes('"') || !comes(idempotencyHash) || !comes(keyedPiece(row.ledger))) {
    return null
  }
  const postingsAt = at
  at = text.indexOf('],"recordedAt":"', at)
  const postingsEnd = at
  if (at < 0 || !comes(recordedPiece(row.recordedAtUs)) || !comes(row.requestHash)) return null
  if (!comes('","salt":"')) return null
  SALT.lastIndex = at
  if (!SALT.test(text)) return null
  at += SALT_LENGTH
  if (!comes('","schemaVersion":"2","seq":"') || !comes(String(row.seq))) return null
  if (!comes('","type":"') || !comes(type) || !comes('"}') || at !== text.length) return null
  return text.slice(postingsAt, postingsEnd)
}

/** Where the whole JSON object that begins here ends; at the end of the text if none does. */
function objectEnd(text: string, from: number): number {
  FLAT_OBJECT.lastIndex = from
  if (FLAT_OBJECT.test(text)) return FLAT_OBJECT.lastIndex
  const end = text.indexOf(',"effectiveAt":"', from)
  return isObject(text.slice(from, end)) ? end : text.length
}

/** A whole JSON object and nothing beside it: then the members around it stand where they seem to. */
function isObject(text: string): boolean {
  try {
    return text.startsWith('{') && JSON.parse(text) !== null
  } catch {
    return false
  }
}

const effectivePiece = remembered((us) => `,"effectiveAt":"${instant(us)}","idempotencyHash":`)
const recordedPiece = remembered((us) => `],"recordedAt":"${instant(us)}","requestHash":"`)
const keylessPiece = remembered((ledger) => `null,"ledger":"${ledger}","postings":[`)
const keyedPiece = remembered((ledger) => `","ledger":"${ledger}","postings":[`)

function instant(microseconds: number): string {
  return microseconds % 1_000 === 0 ? new Date(microseconds / 1_000).toISOString() : ''
}

const REMEMBERED_MAX = 1_000

/** Many events were recorded, or took effect, at one moment. */
function remembered(make: (of: number) => string): (of: number) => string {
  const pieces = new Map<number, string>()
  return (of) => {
    const known = pieces.get(of)
    if (known !== undefined) return known
    if (pieces.size >= REMEMBERED_MAX) pieces.clear()
    const piece = make(of)
    pieces.set(of, piece)
    return piece
  }
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
