import { canonicalJson } from '../log/canonical.ts'
import { readEnvelope, type StoredEvent } from '../log/envelope.ts'
import type { EventRow, PostingRow } from './log-rows.ts'

/** Where an event, the columns that copy it and its postings do not say the same. */
export function eventProblems(row: EventRow, stored: readonly PostingRow[]): readonly string[] {
  const isHashed = row.hash.equals(row.leafHash)
  if (isHashed && isWritten(row, stored)) return NONE

  const problems = isHashed ? [] : ['its bytes do not have its leaf hash']
  const event = readable(row.text)
  if (event === null) return [...problems, 'its bytes are not an event']
  if (!isCopied(event, row)) problems.push('a column differs from its bytes')
  if (!hasPostings(event, stored)) problems.push('its postings differ from its bytes')
  return problems
}

const NONE: readonly string[] = []
const SALT = /^[0-9a-f]{32}$/
const SALT_LENGTH = 32

/**
 * Whether the bytes are what the writer makes of these columns and postings. It is the quick way to
 * say that nothing is wrong, as nearly always; what it does not recognise is read member by member.
 */
function isWritten(row: EventRow, stored: readonly PostingRow[]): boolean {
  const { text, schemaVersion, idempotencyHash } = row
  let at = 0
  const goesOn = (piece: string): boolean => {
    const isNext = text.startsWith(piece, at)
    at += piece.length
    return isNext
  }

  if (!(goesOn('{"actor":') && goesOn(canonicalJson(row.actor)) && goesOn(',"data":'))) return false
  // Quotes within the data are escaped, so this cannot be found inside one of its texts.
  const dataEnd = text.indexOf(',"effectiveAt":"', at)
  if (!isObject(text.slice(at, dataEnd))) return false
  at = dataEnd
  if (!(goesOn(',"effectiveAt":"') && goesOn(instant(row.effectiveAtUs)) && goesOn('",')))
    return false
  if (schemaVersion !== 1 && !goesOn(keyMember(idempotencyHash))) return false
  if (!(goesOn('"ledger":"') && goesOn(String(row.ledger)) && goesOn('","postings":[')))
    return false
  for (const [leg, { account, amountMinor }] of stored.entries()) {
    if (!goesOn(leg === 0 ? '{"account":' : ',{"account":')) return false
    if (!(goesOn(canonicalJson(account)) && goesOn(',"amountMinor":"'))) return false
    if (!(goesOn(amountMinor.toString()) && goesOn('"}'))) return false
  }
  if (!(goesOn('],"recordedAt":"') && goesOn(instant(row.recordedAtUs)))) return false
  if (!(goesOn('","requestHash":"') && goesOn(row.requestHash) && goesOn('","salt":"')))
    return false
  if (!SALT.test(text.slice(at, at + SALT_LENGTH))) return false
  at += SALT_LENGTH
  if (!(goesOn('","schemaVersion":"') && goesOn(String(schemaVersion)))) return false
  if (!(goesOn('","seq":"') && goesOn(row.seq.toString()) && goesOn('","type":'))) return false
  return goesOn(canonicalJson(row.type)) && goesOn('}') && at === text.length
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

function hasPostings({ postings }: StoredEvent, stored: readonly PostingRow[]): boolean {
  return (
    postings.length === stored.length &&
    postings.every(({ account, amountMinor }, leg) => {
      const row = stored[leg]
      return account === row?.account && amountMinor === row.amountMinor
    })
  )
}
