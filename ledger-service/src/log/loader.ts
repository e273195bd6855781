import type { Answer, Command, LinkedPlace } from '@cairn/ledger-contracts'
import type { Entry, Settled } from './entry.ts'
import { readEvent } from './envelope.ts'
import type { Model } from './model.ts'
import { readLinkedPlace } from './refusal-chain.ts'
import type { SettledRows, StoreSession } from './store.ts'
import { getKey, type Table } from './table.ts'
import type { Cache, Need } from './view.ts'

/**
 * A loaded row can contain the key of another row. The longest such chain has four rows: approval,
 * transaction, investor, referrer.
 */
const ROUNDS_MAX = 4

/**
 * Loads the rows that are needed to decide the entries. If a loaded row contains the key of a
 * second row that is needed, loading the second row takes another query.
 */
export async function loadNeeds(
  store: StoreSession,
  args: { entries: readonly Entry[]; cache: Cache; model: Model },
): Promise<void> {
  const { entries, cache, model } = args
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const missing = entries.flatMap((entry) => listMissingNeeds(model, entry, cache))
    if (missing.length === 0) return
    await loadRows(store, { missing, cache })
  }
  throw new Error(`a command needs more than ${ROUNDS_MAX} rounds of loading`)
}

/** Returns the rows that must be loaded. The other missing rows are assumed absent. */
function listMissingNeeds(model: Model, entry: Entry, cache: Cache): readonly Need[] {
  const { isLookedUp } = entry
  const missing = cache.listMissingNeeds(listEntryNeeds(model, entry, cache), isLookedUp)
  if (isLookedUp || missing.length === 0) return missing
  return missing.filter((need) => {
    if (need.isCreated === true) cache.assumeAbsent(need)
    return need.isCreated !== true
  })
}

function listEntryNeeds(model: Model, entry: Entry, cache: Cache): readonly Need[] {
  if (entry.members === null) return listKnownNeeds(model, entry.command, cache)
  const needs = entry.members.flatMap(({ command }) => listKnownNeeds(model, command, cache))
  return [...needs, ...entry.missed]
}

/**
 * Returns no needs if the model throws. The error is not reported here, because it occurs again and
 * is reported when the entry is decided.
 */
function listKnownNeeds(model: Model, command: Command, cache: Cache): readonly Need[] {
  try {
    return model.needs(command, cache)
  } catch {
    return []
  }
}

export async function loadPinnedRows(
  store: StoreSession,
  { tables, cache }: { tables: readonly Table[]; cache: Cache },
): Promise<void> {
  await Promise.all(
    tables.map(async (table) => {
      const rows = await store.loadAll(table)
      for (const row of rows) cache.load(table, getRowKey(table, row), row)
      if (table.key === '' && rows.length === 0) cache.load(table, '', null)
    }),
  )
}

async function loadRows(
  store: StoreSession,
  { missing, cache }: { missing: readonly Need[]; cache: Cache },
): Promise<void> {
  const keys = new Map<Table, Set<string>>()
  for (const { table, key } of missing) {
    keys.set(table, (keys.get(table) ?? new Set<string>()).add(key))
  }
  await Promise.all(
    Array.from(keys, async ([table, wanted]) => {
      const rows = await store.loadRows(table, [...wanted])
      for (const key of wanted) cache.load(table, key, null)
      for (const row of rows) cache.load(table, getRowKey(table, row), row)
    }),
  )
}

/**
 * Returns the stored answers to the entries that are looked up. The key of the map is the hash of
 * the idempotency key in hex.
 */
export async function loadSettled(
  store: StoreSession,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Settled>> {
  const hashes = entries.filter(({ isLookedUp }) => isLookedUp).flatMap(listKeys)
  if (hashes.length === 0) return new Map()
  const { events, refusals } = await store.loadSettled(hashes)
  return new Map([
    ...events.map((row) => [row.idempotencyHash.toString('hex'), toSettledEvent(row)] as const),
    ...refusals.map((row) => [row.idempotencyHash.toString('hex'), toSettledRefusal(row)] as const),
  ])
}

function listKeys(entry: Entry): readonly Buffer[] {
  if (entry.members === null) {
    return entry.idempotencyHash === null ? NO_KEYS : [entry.idempotencyHash]
  }
  return entry.members.flatMap(({ idempotencyHash }) => idempotencyHash ?? [])
}

const NO_KEYS: readonly Buffer[] = []

function toSettledEvent({ requestHash, bytes }: SettledRows['events'][number]): Settled {
  const event = readEvent(bytes)
  const answer: Answer = { outcome: 'recorded', isReplay: true, event }
  return { requestHash, answer, linked: toSettledPlace(event.linked, event.seq) }
}

function toSettledPlace(linked: LinkedPlace | null, place: bigint): Settled['linked'] {
  return linked === null ? null : { ...linked, first: place - BigInt(linked.index) }
}

function toSettledRefusal(row: SettledRows['refusals'][number]): Settled {
  const { requestHash, code, message, details, place, bytes } = row
  const linked = toSettledPlace(readLinkedPlace(bytes), place)
  return { requestHash, linked, answer: { outcome: 'refused', code, message, details } }
}

function getRowKey(table: Table, row: object): string {
  // The cast is safe, because each row of a table has the table's columns.
  return getKey(table, row as Readonly<Record<string, unknown>>)
}
