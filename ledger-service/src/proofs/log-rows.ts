import type pg from 'pg'
import { copyRows } from '../database/copy-rows.ts'
import type { EventChecker } from './event-checker.ts'
import { type CheckedPage, EVENT_COLUMNS } from './event-page.ts'

export interface PostingRow {
  seq: bigint
  account: string
  amountMinor: bigint
  balanceAfterMinor: bigint
}

interface Part {
  ledger: number
  from: bigint
  size: bigint
}

const PAGE_EVENTS = 500
const PAGES_UNDER_WAY = 4

/** The events of the log in their order, each page checked while the next ones are read. */
export async function* readEvents(
  client: pg.ClientBase,
  { ledger, from, size, checker }: Part & { checker: EventChecker },
): AsyncGenerator<CheckedPage> {
  const rows = copyRows(
    client,
    `select ${EVENT_COLUMNS} from ledger.event
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} and seq < ${BigInt(size)}
     order by seq`,
    (row) => row.raw(),
  )
  const underWay: Promise<CheckedPage>[] = []
  let page: Buffer[] = []
  const send = () => {
    const checked = checker.check(Buffer.concat(page))
    // Awaited in its turn; until then a failure must not count as unhandled.
    checked.catch(() => {})
    underWay.push(checked)
    page = []
  }
  for await (const some of rows) {
    page.push(...some)
    if (page.length >= PAGE_EVENTS) send()
    const first = underWay.length >= PAGES_UNDER_WAY ? underWay.shift() : undefined
    if (first !== undefined) yield await first
  }
  if (page.length > 0) send()
  for (const checked of underWay) yield await checked
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
  { ledger, from }: Omit<Part, 'size'>,
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
