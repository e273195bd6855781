import { ACCOUNT_KINDS } from '@cairn/ledger-contracts'
import type pg from 'pg'

export type Totals = ReadonlyMap<string, bigint>

export interface PastTotals {
  /** The sum of each kind of account after an event. */
  at(seq: bigint): Promise<Totals>
}

const PART_EVENTS = 50_000n

/**
 * What was recorded once stays as it is: each whole part of the log is added up once for all
 * questions, and what a question adds up anew is less than one part.
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

  async function addParts(parts: number): Promise<void> {
    const known = sums.length - 1
    const range = { ledger, from: BigInt(known) * partEvents, to: BigInt(parts) * partEvents }
    const rows = await sumKinds(pool, { ...range, partEvents })
    // Somebody who asked at the same moment may have added them already.
    if (sums.length - 1 !== known) return
    for (let part = known; part < parts; part += 1) {
      const added = rows.filter((row) => row.part === BigInt(part))
      sums.push(plus(sums[part] ?? new Map(), added))
    }
  }

  return {
    at: async (seq) => {
      const to = seq + 1n
      const parts = Number(to / partEvents)
      while (sums.length <= parts) await addParts(parts)
      const from = BigInt(parts) * partEvents
      const rest = await sumKinds(pool, { ledger, from, to, partEvents })
      return plus(sums[parts] ?? new Map(), rest)
    },
  }
}

/** The same in one go, for whoever asks once. */
export async function trialBalanceAt(
  pool: Pick<pg.ClientBase, 'query'>,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<Totals> {
  const to = seq + 1n
  const partEvents = to > 0n ? to : 1n
  return plus(new Map(), await sumKinds(pool, { ledger, from: 0n, to, partEvents }))
}

interface KindRow {
  part: bigint
  kind: string
  total: bigint
}

/** Of the events from `from` on and before `to`, part by part. */
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
         when account like 'cash:%' then 'cash'
         else account
       end as kind, sum(amount_minor)::bigint as total
     from ledger.posting where ledger_id = $1 and seq >= $2 and seq < $3 group by 1, 2`,
    [ledger, from, to, partEvents],
  )
  return rows
}

function plus(known: Totals, rows: readonly KindRow[]): Totals {
  const totals = new Map(known)
  for (const { kind, total } of rows) {
    if (!ACCOUNT_KINDS.some((name) => name === kind)) {
      throw new Error(`no such account in the chart: ${kind}`)
    }
    totals.set(kind, (totals.get(kind) ?? 0n) + total)
  }
  return totals
}
