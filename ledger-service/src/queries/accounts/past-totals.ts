import { ACCOUNT_KINDS, removeAsset } from '@cairn/ledger-contracts'
import type pg from 'pg'

export type Totals = ReadonlyMap<string, bigint>

export interface PastTotals {
  /** Returns the sum of each account kind and asset after an event. */
  computeTotalsAt(seq: bigint): Promise<Totals>
  /**
   * Adds the next part to the cache if a log of `size` events contains all of its events. Returns
   * false if the log does not contain them yet.
   */
  addNextPart(size: bigint): Promise<boolean>
}

const PART_EVENTS = 50_000n

/**
 * Creates a cache of sums. The log is divided into parts of equal size. The sums of complete parts
 * never change, so these sums are cached. A query then adds the postings of at most one part.
 */
export function createPastTotals({
  pool,
  ledger,
  partEvents = PART_EVENTS,
}: {
  pool: pg.Pool
  ledger: number
  partEvents?: bigint
}): PastTotals {
  const sums: Totals[] = [new Map()]

  /**
   * Adds one part, so that each statement has a bounded size. If a later part fails, the earlier
   * parts are kept, and the next query continues after them.
   */
  async function addPart(): Promise<void> {
    const part = sums.length - 1
    const range = { ledger, from: BigInt(part) * partEvents, to: BigInt(part + 1) * partEvents }
    const rows = await sumKinds(pool, { ...range, partEvents })
    // A concurrent query may have added this part. The rows of this query are then not needed.
    if (sums.length - 1 === part) sums.push(addRowsToTotals(sums[part] ?? new Map(), rows))
  }

  return {
    addNextPart: async (size) => {
      if (BigInt(sums.length) * partEvents > size) return false
      await addPart()
      return true
    },
    computeTotalsAt: async (seq) => {
      const to = seq + 1n
      const parts = Number(to / partEvents)
      while (sums.length <= parts) await addPart()
      const from = BigInt(parts) * partEvents
      const rest = await sumKinds(pool, { ledger, from, to, partEvents })
      return addRowsToTotals(sums[parts] ?? new Map(), rest)
    },
  }
}

/** Computes the same sums as `computeTotalsAt`, but without a cache. */
export async function computeTrialBalanceAt(
  pool: Pick<pg.ClientBase, 'query'>,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<Totals> {
  const to = seq + 1n
  const partEvents = to > 0n ? to : 1n
  return addRowsToTotals(new Map(), await sumKinds(pool, { ledger, from: 0n, to, partEvents }))
}

interface KindRow {
  part: bigint
  kind: string
  total: bigint
}

/**
 * For each part of the log and each account kind, sums the postings of the events from `from` up
 * to, not including, `to`.
 */
async function sumKinds(
  pool: Pick<pg.ClientBase, 'query'>,
  range: { ledger: number; from: bigint; to: bigint; partEvents: bigint },
): Promise<readonly KindRow[]> {
  const { ledger, from, to, partEvents } = range
  if (from >= to) return []
  const { rows } = await pool.query<KindRow>(
    `select seq / $4::bigint as part, case
         when account like 'investor:%' then
           substr(account, 10 + strpos(substr(account, 10), ':'))
         when account like 'cash:%' then 'cash' || coalesce(substring(account from '@.*$'), '')
         else account
       end as kind, sum(amount_minor)::bigint as total
     from ledger.posting where ledger_id = $1 and seq >= $2 and seq < $3 group by 1, 2`,
    [ledger, from, to, partEvents],
  )
  return rows
}

function addRowsToTotals(known: Totals, rows: readonly KindRow[]): Totals {
  const totals = new Map(known)
  for (const { kind, total } of rows) {
    if (!ACCOUNT_KINDS.some((name) => name === removeAsset(kind))) {
      throw new Error(`no such account in the chart: ${kind}`)
    }
    totals.set(kind, (totals.get(kind) ?? 0n) + total)
  }
  return totals
}
