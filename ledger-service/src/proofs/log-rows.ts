import type pg from 'pg'
import { copyRows } from '../service/database/copy-rows.ts'

export interface PostingRow {
  seq: bigint
  leg: number
  account: string
  amountMinor: bigint
  balanceAfterMinor: bigint
}

export interface OrderedPostings {
  /** Those of event `seq`, which has `count` by its bytes; null: `more` must be awaited first. */
  of(seq: bigint, count: number): readonly PostingRow[] | null
  more(): Promise<void>
  /** When the log has ended: what came after its event was through, and what belongs to none. */
  rest(): Promise<{ late: readonly PostingRow[]; ownerless: readonly PostingRow[] }>
}

/** Postings lie in the table far from where their events are in the log. */
export class OutOfPlace extends Error {
  override readonly name = 'OutOfPlace'
}

/** What comes before its turn waits in memory: so many, and it is cheaper to let the server sort. */
const APART_MAX = 200_000

/**
 * The postings in the order of the log. They were written in it, so they are read as they lie, and
 * the few that a crash or a hand put elsewhere wait for their turn; `isSorted` lets the server sort
 * all of them first, which a table in any other order needs.
 */
export function readPostings(
  client: pg.ClientBase,
  range: { ledger: number; from: bigint; isSorted: boolean; apartMax?: number },
): OrderedPostings {
  const { ledger, from, isSorted, apartMax = APART_MAX } = range
  const pages = copyRows(
    client,
    `select seq, leg, account, amount_minor, balance_after_minor from ledger.posting
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)}
     ${isSorted ? 'order by seq, leg' : ''}`,
    (row) => ({
      seq: row.int8(),
      leg: row.int4(),
      account: row.text(),
      amountMinor: row.int8(),
      balanceAfterMinor: row.int8(),
    }),
  )
  const apart = new Map<bigint, PostingRow[]>()
  const late: PostingRow[] = []
  let rows: readonly PostingRow[] = []
  let at = 0
  let isOver = false

  async function more(): Promise<void> {
    const { value, done } = await pages.next()
    isOver = done === true
    rows = [...rows.slice(at), ...(value ?? [])]
    at = 0
  }

  function putApart(row: PostingRow): void {
    const known = apart.get(row.seq)
    if (known === undefined) apart.set(row.seq, [row])
    else known.push(row)
    if (apart.size > apartMax) throw new OutOfPlace('the postings do not lie in the log’s order')
  }

  /** Everything up to the first row of a later event, and beyond that what is still wanted. */
  function collect(seq: bigint, count: number): PostingRow[] {
    const found = apart.get(seq) ?? []
    for (let row = rows[at]; row !== undefined; row = rows[at]) {
      if (row.seq === seq) found.push(row)
      else if (row.seq < seq) late.push(row)
      else if (found.length >= count) break
      else putApart(row)
      at += 1
    }
    return found
  }

  return {
    of: (seq, count) => {
      const found = collect(seq, count)
      if (found.length < count && !isOver) {
        if (found.length > 0) apart.set(seq, found)
        return null
      }
      apart.delete(seq)
      return inLegs(found)
    },
    more,
    rest: async () => {
      while (!isOver) await more()
      return { late, ownerless: [...apart.values()].flat().concat(rows.slice(at)) }
    },
  }
}

function inLegs(rows: PostingRow[]): readonly PostingRow[] {
  const isInOrder = rows.every(({ leg }, index) => index === 0 || leg > (rows[index - 1]?.leg ?? 0))
  return isInOrder ? rows : rows.sort((left, right) => left.leg - right.leg)
}
