import { type LogEvent, PRIVATE_TEXT } from '@cairn/gateway-contracts'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { hashLeaf, parsePostings, toHex } from '@cairn/gateway-contracts/proof'
import { expandStoredData } from '@cairn/gateway-contracts/stored-data'
import { sumByAsset } from '../../shared/money/asset-text.ts'

interface StoredEvent {
  seq: string
  type: string
  actor: string
  at: string
  effectiveAt?: string
  linked?: { index: string; length: string }
  externalId?: string
  metadata?: unknown
  data: Readonly<Record<string, unknown>>
  postings: readonly string[]
}

/**
 * Compares the event that the page shows with its signed bytes. Returns the name of the first part
 * that differs, or null. A private text can have any content, because the bytes only refer to it.
 * Throws if the bytes are not an event.
 */
export function findChangedPart(event: LogEvent, bytes: Uint8Array): string | null {
  // The cast is safe because a part that has another form differs or throws.
  const stored = JSON.parse(new TextDecoder().decode(bytes)) as StoredEvent
  const { linked, externalId = null, metadata = null } = stored
  const postings = parsePostings(stored.postings)
  const parts: readonly (readonly [name: string, stored: unknown, shown: unknown])[] = [
    ['number', stored.seq, splitEventNumber(event.seq).seq],
    ['type', stored.type, event.type],
    ['actor', stored.actor, event.actor],
    ['time', stored.at, event.recordedAt],
    ['effective time', stored.effectiveAt ?? stored.at, event.effectiveAt],
    ['place', linked ?? null, event.linked === null ? null : toTexts(event.linked)],
    ['external id', externalId, event.externalId],
    ['metadata', metadata, event.metadata],
    ['data', expandStoredData(stored.type, stored.data, postings), event.data],
    ['postings', postings.map(formatPosting), event.postings.map(toPosting).map(formatPosting)],
    ['hash', toHex(hashLeaf(bytes)), event.leafHash],
  ]
  return parts.find(([, one, other]) => !isSame(one, other))?.[0] ?? null
}

function toTexts({ index, length }: { index: number; length: number }) {
  return { index: String(index), length: String(length) }
}

function toPosting({ account, amount }: LogEvent['postings'][number]) {
  const [amountMinor = 0n] = sumByAsset([{ code: account, amount }]).values()
  return { account, amountMinor }
}

function formatPosting({ account, amountMinor }: { account: string; amountMinor: bigint }) {
  return `${account} ${amountMinor}`
}

/** Compares values of JSON. The order of members does not matter. */
function isSame(stored: unknown, shown: unknown): boolean {
  if (typeof stored === 'string' && PRIVATE_TEXT.test(stored)) return typeof shown === 'string'
  if (typeof stored !== 'object' || stored === null) return stored === shown
  if (typeof shown !== 'object' || shown === null) return false
  if (Array.isArray(stored) !== Array.isArray(shown)) return false
  const names = Object.keys(stored)
  return (
    names.length === Object.keys(shown).length &&
    // The casts are safe because both values are objects.
    names.every((name) => {
      const [one, other] = [stored as Record<string, unknown>, shown as Record<string, unknown>]
      return name in other && isSame(one[name], other[name])
    })
  )
}
