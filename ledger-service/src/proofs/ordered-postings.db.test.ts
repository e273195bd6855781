import { afterEach, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { connectClient } from '../service/database/pool.ts'
import { OutOfPlace, type PostingRow, readPostings } from './ordered-postings.ts'
import { verifyLog } from './verify.ts'

let ledger: TestLedger
afterEach(() => ledger.close())

/**
 * Starts a ledger with six funded investors and stores its postings in the order of their accounts
 * instead of the order of the log. Returns the size of the log.
 */
async function startDisorderedLedger(): Promise<bigint> {
  ledger = await startTestLedger()
  for (let count = 0; count < 6; count += 1)
    await createFundedInvestor(ledger, { amountMinor: 5_000n })
  await ledger.runSql('cluster ledger.posting using posting_pkey')
  const { size } = await ledger.ask('head', { size: null })
  return size
}

async function readAll(size: bigint, how: { isSorted: boolean; apartMax?: number }) {
  const url = ledger.database.url
  const client = await connectClient({ url, name: 'ordered-postings', pipeline: false })
  try {
    const postings = readPostings(client, { ledger: 1, from: 0n, ...how })
    const read: PostingRow[] = []
    for (let seq = 0n; seq < size; seq += 1n) {
      let found = postings.findPostings(seq, seq % 2n === 0n ? 0 : 2)
      while (found === null) {
        await postings.readMore()
        found = postings.findPostings(seq, seq % 2n === 0n ? 0 : 2)
      }
      read.push(...found)
    }
    expect(await postings.readRemainingPostings()).toEqual({ late: [], ownerless: [] })
    return read.map(({ seq, leg }) => [seq, leg])
  } finally {
    await client.end()
  }
}

test('postings stored in any order are read in the order of the log, with or without a sort', async () => {
  const size = await startDisorderedLedger()
  const read = await readAll(size, { isSorted: false })
  expect(read).toHaveLength(12)
  expect(read).toEqual(read.toSorted(([a = 0n], [b = 0n]) => Number(BigInt(a) - BigInt(b))))
  expect(await readAll(size, { isSorted: true, apartMax: 0 })).toEqual(read)
})

test('the reader throws if it would buffer too many postings', async () => {
  const size = await startDisorderedLedger()
  await expect(readAll(size, { isSorted: false, apartMax: 2 })).rejects.toThrow(OutOfPlace)
})

test('a verification sorts postings that are too far apart', async () => {
  const size = await startDisorderedLedger()
  const found = await verifyLog(ledger.pool, { ledger: 1, apartMax: 2 })
  expect(found).toMatchObject({ events: size, postings: 12n, problems: [] })
})
