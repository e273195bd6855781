import type { Answer, RefusalCode } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Entry, Settled } from './batch.ts'
import { readEvent } from './envelope.ts'
import type { Model } from './model.ts'
import { columnName, type Table } from './table.ts'
import type { Cache, Need } from './view.ts'

/** Approval -> transaction -> investor -> referrer is the longest chain of keys there is. */
const ROUNDS_MAX = 4

/** Loads what the entries' deciders will ask for: one pipelined round trip a round. */
export async function loadNeeds(
  client: pg.Client,
  args: { ledger: number; entries: readonly Entry[]; cache: Cache; model: Model },
): Promise<void> {
  const { ledger, entries, cache, model } = args
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const needs = entries.flatMap(({ command }) => model.needs(command, cache))
    const missing = cache.missing(needs)
    if (missing.length === 0) return
    await loadRows(client, { ledger, missing, cache })
  }
  throw new Error(`a command needs more than ${ROUNDS_MAX} rounds of loading`)
}

export async function loadPinned(
  client: pg.Client,
  args: { ledger: number; tables: readonly Table[]; cache: Cache },
): Promise<void> {
  const { ledger, tables, cache } = args
  await Promise.all(
    tables.map(async (table) => {
      const { rows } = await client.query(
        `select ${columnsOf(table)} from ledger.${table.name} where ledger_id = $1`,
        [ledger],
      )
      for (const row of rows) cache.load(table, keyIn(table, row), toRow(table, row))
      if (table.key === '' && rows.length === 0) cache.load(table, '', null)
    }),
  )
}

async function loadRows(
  client: pg.Client,
  args: { ledger: number; missing: readonly Need[]; cache: Cache },
): Promise<void> {
  const { ledger, missing, cache } = args
  const keys = new Map<Table, Set<string>>()
  for (const { table, key } of missing) {
    keys.set(table, (keys.get(table) ?? new Set<string>()).add(key))
  }
  await Promise.all(
    Array.from(keys, async ([table, wanted]) => {
      const column = columnName(table.key ?? '')
      const { rows } = await client.query({
        name: `load-${table.name}`,
        text: `select ${columnsOf(table)} from ledger.${table.name}
               where ledger_id = $1 and ${column} = any($2::text[])`,
        values: [ledger, [...wanted]],
      })
      for (const key of wanted) cache.load(table, key, null)
      for (const row of rows) cache.load(table, keyIn(table, row), toRow(table, row))
    }),
  )
}

/** The answers already given to these entries' keys, by the key's hash in hex. */
export async function loadSettled(
  client: pg.Client,
  args: { ledger: number; entries: readonly Entry[] },
): Promise<ReadonlyMap<string, Settled>> {
  const hashes = args.entries.flatMap(({ idempotencyHash }) =>
    idempotencyHash === null ? [] : [idempotencyHash],
  )
  if (hashes.length === 0) return new Map()
  const [events, refusals] = await Promise.all([
    client.query<{ idempotency_hash: Buffer; request_hash: Buffer; bytes: Buffer }>({
      name: 'settled-events',
      text: `select idempotency_hash, request_hash, bytes from ledger.event
             where ledger_id = $1 and idempotency_hash = any($2::bytea[])`,
      values: [args.ledger, hashes],
    }),
    client.query<RefusalRow>({
      name: 'settled-refusals',
      text: `select idempotency_hash, request_hash, code, message, details from ledger.refusal
             where ledger_id = $1 and idempotency_hash = any($2::bytea[])`,
      values: [args.ledger, hashes],
    }),
  ])
  return new Map([
    ...events.rows.map((row) => [row.idempotency_hash.toString('hex'), settledEvent(row)] as const),
    ...refusals.rows.map(
      (row) => [row.idempotency_hash.toString('hex'), settledRefusal(row)] as const,
    ),
  ])
}

interface RefusalRow {
  idempotency_hash: Buffer
  request_hash: Buffer
  code: RefusalCode
  message: string
  details: Record<string, string>
}

function settledEvent(row: { request_hash: Buffer; bytes: Buffer }): Settled {
  const answer: Answer = { outcome: 'recorded', isReplay: true, event: readEvent(row.bytes) }
  return { requestHash: row.request_hash, answer }
}

function settledRefusal({ request_hash, code, message, details }: RefusalRow): Settled {
  return { requestHash: request_hash, answer: { outcome: 'refused', code, message, details } }
}

function columnsOf(table: Table): string {
  return Object.keys(table.columns).map(columnName).join(', ')
}

function keyIn(table: Table, row: Record<string, unknown>): string {
  return table.key === null || table.key === '' ? '' : String(row[columnName(table.key)])
}

function toRow(table: Table, row: Record<string, unknown>): object {
  const properties = Object.keys(table.columns).map((property) => [
    property,
    row[columnName(property)],
  ])
  return Object.fromEntries(properties)
}
