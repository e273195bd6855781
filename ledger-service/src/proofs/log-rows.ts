import type pg from 'pg'
import { copyRows } from '../database/copy-rows.ts'
import { leafHash } from '../log/merkle.ts'

export interface EventRow {
  ledger: number
  seq: bigint
  type: string
  actor: string
  recordedAtUs: number
  effectiveAtUs: number
  schemaVersion: number
  requestHash: string
  idempotencyHash: string | null
  text: string
  /** What is stored, and what its bytes have. */
  leafHash: Buffer
  hash: Buffer
}

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

/** The events of the log in their order, as stored. */
export function readEvents(
  client: pg.ClientBase,
  { ledger, from, size }: Part,
): AsyncGenerator<readonly EventRow[]> {
  return copyRows(
    client,
    `select seq, type, actor, recorded_at, effective_at, schema_version, request_hash,
       idempotency_hash, bytes, leaf_hash
     from ledger.event
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} and seq < ${BigInt(size)}
     order by seq`,
    (row) => ({
      ledger,
      seq: row.int8(),
      type: row.text(),
      actor: row.text(),
      recordedAtUs: row.microseconds(),
      effectiveAtUs: row.microseconds(),
      schemaVersion: row.int4(),
      requestHash: row.hex(),
      idempotencyHash: row.hexOrNull(),
      ...hashed(row.bytes()),
      leafHash: Buffer.from(row.bytes()),
    }),
  )
}

function hashed(bytes: Buffer): { text: string; hash: Buffer } {
  return { text: bytes.toString('utf8'), hash: leafHash(bytes) }
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
