import { ACCOUNT_KINDS, removeAsset } from '@cairn/ledger-contracts'
import type pg from 'pg'

/** The sum of each account kind and asset, in minor units. */
export type Totals = ReadonlyMap<string, bigint>
type Client = Pick<pg.ClientBase, 'query'>

/** The number of events between two stored sums, and the maximum that one statement reads. */
export const PART_EVENTS = 10_000n

/**
 * Computes the sum of each account kind and asset after an event. Continues from the newest stored
 * sums before it, so that a log with stored sums needs the postings of at most one part.
 */
export async function computeTotalsAt(
  pool: Client,
  { ledger, seq, partEvents = PART_EVENTS }: { ledger: number; seq: bigint; partEvents?: bigint },
): Promise<Totals> {
  const to = seq + 1n
  let { size, totals } = await findStoredTotals(pool, { ledger, sizeMax: to })
  while (size < to) {
    const next = size + partEvents < to ? size + partEvents : to
    totals = addToTotals(totals, await sumKinds(pool, { ledger, from: size, to: next }))
    size = next
  }
  return totals
}

/**
 * Stores the sums after the next part if a log of `size` events contains this part. Returns false
 * if the log does not contain it yet. Several instances may store the same sums.
 */
export async function storeNextTotals(
  pool: Client,
  { ledger, size, partEvents = PART_EVENTS }: { ledger: number; size: bigint; partEvents?: bigint },
): Promise<boolean> {
  const newest = await findStoredTotals(pool, { ledger, sizeMax: size })
  const next = newest.size + partEvents
  if (next > size) return false
  const added = await sumKinds(pool, { ledger, from: newest.size, to: next })
  await pool.query(
    `insert into ledger.past_total (ledger_id, size, totals) values ($1, $2, $3)
     on conflict (ledger_id, size) do nothing`,
    [ledger, next, JSON.stringify(formatTotals(addToTotals(newest.totals, added)))],
  )
  return true
}

/** Computes the same sums as `computeTotalsAt`, from the postings alone. */
export async function computeTrialBalanceAt(
  pool: Client,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<Totals> {
  return addToTotals(new Map(), await sumKinds(pool, { ledger, from: 0n, to: seq + 1n }))
}

/** Sums that are stored after the first `size` events. */
export interface StoredTotals {
  size: bigint
  totals: Totals
}

/** Lists all stored sums, the earliest first. */
export async function listStoredTotals(
  client: Client,
  { ledger }: { ledger: number },
): Promise<readonly StoredTotals[]> {
  const { rows } = await client.query<StoredRow>(
    'select size, totals from ledger.past_total where ledger_id = $1 order by size',
    [ledger],
  )
  return rows.map(parseRow)
}

/** Returns true if the stored sums are the given ones. A kind whose sum is 0 may be missing. */
export function areSameTotals(left: Totals, right: Totals): boolean {
  const kinds = new Set([...left.keys(), ...right.keys()])
  return [...kinds].every((kind) => (left.get(kind) ?? 0n) === (right.get(kind) ?? 0n))
}

/** Lists the sizes of the stored sums that are not the sums of the postings. */
export async function listWrongTotals(
  client: Client,
  { ledger }: { ledger: number },
): Promise<readonly bigint[]> {
  const wrong: bigint[] = []
  let before: StoredTotals = { size: 0n, totals: new Map() }
  for (const { size, totals } of await listStoredTotals(client, { ledger })) {
    const added = await sumKinds(client, { ledger, from: before.size, to: size })
    before = { size, totals: addToTotals(before.totals, added) }
    if (!areSameTotals(totals, before.totals)) wrong.push(size)
  }
  return wrong
}

interface StoredRow {
  size: bigint
  totals: Readonly<Record<string, string>>
}

function parseRow({ size, totals }: StoredRow): StoredTotals {
  return {
    size,
    totals: new Map(Object.entries(totals).map(([kind, total]) => [kind, BigInt(total)])),
  }
}

function formatTotals(totals: Totals): StoredRow['totals'] {
  return Object.fromEntries([...totals].map(([kind, total]) => [kind, total.toString()]))
}

/** Returns the newest stored sums after at most `sizeMax` events; empty sums if there are none. */
async function findStoredTotals(
  pool: Client,
  { ledger, sizeMax }: { ledger: number; sizeMax: bigint },
): Promise<StoredTotals> {
  const { rows } = await pool.query<StoredRow>(
    `select size, totals from ledger.past_total
     where ledger_id = $1 and size <= $2 order by size desc limit 1`,
    [ledger, sizeMax],
  )
  const [row] = rows
  return row === undefined ? { size: 0n, totals: new Map() } : parseRow(row)
}

/** Sums the postings of the events from `from` up to, not including, `to`, for each kind. */
async function sumKinds(
  pool: Client,
  { ledger, from, to }: { ledger: number; from: bigint; to: bigint },
): Promise<readonly (readonly [kind: string, total: bigint])[]> {
  if (from >= to) return []
  const { rows } = await pool.query<{ kind: string; total: bigint }>(
    `select case
         when account like 'investor:%' then
           substr(account, 10 + strpos(substr(account, 10), ':'))
         when account like 'cash:%' then 'cash' || coalesce(substring(account from '@.*$'), '')
         else account
       end as kind, sum(amount_minor)::bigint as total
     from ledger.posting where ledger_id = $1 and seq >= $2 and seq < $3 group by 1`,
    [ledger, from, to],
  )
  return rows.map(({ kind, total }) => [kind, total])
}

function addToTotals(
  known: Totals,
  added: readonly (readonly [kind: string, total: bigint])[],
): Totals {
  const totals = new Map(known)
  for (const [kind, total] of added) {
    if (!ACCOUNT_KINDS.some((name) => name === removeAsset(kind))) {
      throw new Error(`no such account in the chart: ${kind}`)
    }
    totals.set(kind, (totals.get(kind) ?? 0n) + total)
  }
  return totals
}
