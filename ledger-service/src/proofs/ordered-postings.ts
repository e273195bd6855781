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
  /**
   * Returns the postings of the event `seq`, which has `count` postings in its bytes. Returns null
   * if the caller must first await `readMore`.
   */
  findPostings(seq: bigint, count: number): readonly PostingRow[] | null
  readMore(): Promise<void>
  /**
   * Must be called after the last event. `late` contains postings that were read after their event
   * was compared. `ownerless` contains postings that belong to no event.
   */
  readRemainingPostings(): Promise<{
    late: readonly PostingRow[]
    ownerless: readonly PostingRow[]
  }>
}

/**
 * Thrown if too many postings are stored in a physical order that differs from the order of the
 * log.
 */
export class OutOfPlace extends Error {
  override readonly name = 'OutOfPlace'
}

/**
 * The maximum number of events with buffered postings. For more events, a sort in the server is
 * cheaper.
 */
const APART_MAX = 200_000

/**
 * Returns a reader of the postings in the order of the log. The reader reads in physical order,
 * which is mostly the order of the log. It buffers postings of events that the caller has not
 * reached yet. The reader throws `OutOfPlace` if it would buffer too many postings. With
 * `isSorted`, the server sorts all postings first. Postings with a negative number belong to no
 * event; they are read because a balance at a past time would count them.
 */
export function readPostings(
  client: pg.ClientBase,
  range: { ledger: number; from: bigint; isSorted: boolean; apartMax?: number | undefined },
): OrderedPostings {
  const { ledger, from, isSorted, apartMax = APART_MAX } = range
  const pages = copyRows(
    client,
    `select seq, leg, account, amount_minor, balance_after_minor from ledger.posting
     where ledger_id = ${Number(ledger)} and (seq >= ${BigInt(from)} or seq < 0)
     ${isSorted ? 'order by seq, leg' : ''}`,
    (row) => ({
      seq: row.readInt8(),
      leg: row.readInt4(),
      account: row.readText(),
      amountMinor: row.readInt8(),
      balanceAfterMinor: row.readInt8(),
    }),
  )
  const buffered = new Map<bigint, PostingRow[]>()
  const late: PostingRow[] = []
  let rows: readonly PostingRow[] = []
  let at = 0
  let isOver = false

  async function readMore(): Promise<void> {
    const { value, done } = await pages.next()
    isOver = done === true
    rows = [...rows.slice(at), ...(value ?? [])]
    at = 0
  }

  function bufferRow(row: PostingRow): void {
    const known = buffered.get(row.seq)
    if (known === undefined) buffered.set(row.seq, [row])
    else known.push(row)
    if (buffered.size > apartMax)
      throw new OutOfPlace('the postings are not stored in the order of the log')
  }

  /**
   * Reads rows until the first row of an event after `seq`. If `count` rows of the event `seq` are
   * not found by then, reads on until they are found.
   */
  function takePostings(seq: bigint, count: number): PostingRow[] {
    const found = buffered.get(seq) ?? []
    for (let row = rows[at]; row !== undefined; row = rows[at]) {
      if (row.seq === seq) found.push(row)
      else if (row.seq < seq) late.push(row)
      else if (found.length >= count) break
      else bufferRow(row)
      at += 1
    }
    return found
  }

  return {
    findPostings: (seq, count) => {
      const found = takePostings(seq, count)
      if (found.length < count && !isOver) {
        if (found.length > 0) buffered.set(seq, found)
        return null
      }
      buffered.delete(seq)
      return sortByLeg(found)
    },
    readMore: readMore,
    readRemainingPostings: async () => {
      while (!isOver) await readMore()
      return { late, ownerless: [...buffered.values()].flat().concat(rows.slice(at)) }
    },
  }
}

function sortByLeg(rows: PostingRow[]): readonly PostingRow[] {
  const isInOrder = rows.every(({ leg }, index) => index === 0 || leg > (rows[index - 1]?.leg ?? 0))
  return isInOrder ? rows : rows.sort((left, right) => left.leg - right.leg)
}
