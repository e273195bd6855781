import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestPlatform } from './platform.ts'

/** The content of the log at one time, read from the database with the auditor's role. */
export interface Books {
  readonly size: number
  readonly root: string
  readonly leaves: readonly Buffer[]
  readonly balances: ReadonlyMap<string, bigint>
  readonly events: readonly {
    type: string
    postings: readonly [account: string, minor: bigint][]
  }[]
}

export async function readBooks(platform: TestPlatform): Promise<Books> {
  const password = await readFile(join(platform.dataDir, 'secrets', 'cairn_auditor'), 'utf8')
  const client = new pg.Client({
    connectionString: `postgres://cairn_auditor:${password.trim()}@127.0.0.1:${platform.databasePort}/cairn`,
  })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    const head = await client.query('select size, root from ledger.head where ledger_id = 1')
    const log = await client.query(
      'select leaf_hash, bytes from ledger.event where ledger_id = 1 order by seq',
    )
    const balances = await client.query(
      'select account, balance_minor from ledger.balance where ledger_id = 1',
    )
    return {
      size: Number(head.rows[0].size),
      root: head.rows[0].root.toString('hex'),
      leaves: log.rows.map(({ leaf_hash }) => leaf_hash),
      balances: new Map(balances.rows.map((row) => [row.account, BigInt(row.balance_minor)])),
      events: log.rows.map(({ bytes }) => readEvent(bytes)),
    }
  } finally {
    await client.end()
  }
}

/**
 * Computes the Merkle tree head as RFC 6962 section 2.1 defines it, independently of the ledger's
 * code.
 */
export function computeTreeHead(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return createHash('sha256').digest()
  if (leaves.length === 1) return only
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  const left = computeTreeHead(leaves.slice(0, half))
  const right = computeTreeHead(leaves.slice(half))
  return createHash('sha256')
    .update(Buffer.from([1]))
    .update(left)
    .update(right)
    .digest()
}

function readEvent(bytes: Buffer): Books['events'][number] {
  const { type, postings } = JSON.parse(bytes.toString('utf8'))
  return { type, postings: postings.flatMap(readPostings) }
}

/**
 * Parses the text of a posting, `account amount` or `from > to amount`, independently of the
 * ledger's code.
 */
function readPostings(text: string): [account: string, minor: bigint][] {
  const [first = '', second = '', to = '', moved = ''] = text.split(' ')
  if (second !== '>') return [[first, BigInt(second)]]
  return [
    [first, -BigInt(moved)],
    [to, BigInt(moved)],
  ]
}
