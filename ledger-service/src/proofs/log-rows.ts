import type pg from 'pg'
import { copyRows } from '../database/copy-rows.ts'

export interface PostingRow {
  seq: bigint
  account: string
  amountMinor: bigint
  balanceAfterMinor: bigint
}

export interface OrderedPostings {
  /** Whether all postings of event `seq` have arrived; `more` waits for some. */
  covers(seq: bigint): boolean
  more(): Promise<void>
  /** Those of event `seq` and any stray ones before it; `seq` may only grow. */
  through(seq: bigint): readonly PostingRow[]
  /** All that are left. */
  rest(): Promise<readonly PostingRow[]>
}

/** The postings in the order of the log: the server sorts them once, so no index is kept for it. */
export function readPostings(
  client: pg.ClientBase,
  { ledger, from }: { ledger: number; from: bigint },
): OrderedPostings {
  const pages = copyRows(
    client,
    `select seq, account, amount_minor, balance_after_minor from ledger.posting
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} order by seq, leg`,
    (row) => ({
      seq: row.int8(),
      account: row.text(),
      amountMinor: row.int8(),
      balanceAfterMinor: row.int8(),
    }),
  )
  let rows: readonly PostingRow[] = []
  let at = 0
  let last = -1n
  let isOver = false

  async function more(): Promise<void> {
    const { value, done } = await pages.next()
    isOver = done === true
    rows = [...rows.slice(at), ...(value ?? [])]
    last = rows.at(-1)?.seq ?? last
    at = 0
  }

  return {
    covers: (seq) => last > seq || isOver,
    more,
    through: (seq) => {
      const first = at
      for (let row = rows[at]; row !== undefined && row.seq <= seq; row = rows[at]) at += 1
      return rows.slice(first, at)
    },
    rest: async () => {
      while (!isOver) await more()
      return rows.slice(at)
    },
  }
}
