import { createId } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLog } from '../src/proofs/verify.ts'
import { createPool } from '../src/service/database/pool.ts'
import { moveLedger } from '../src/service/move/move-ledger.ts'
import { type CitusDatabase, createCitusDatabase, isWithoutCitus } from './support/citus.ts'
import { createFundedInvestor, requireRecorded, startTestLedger } from './support/test-ledger.ts'
import { createTestSigning } from './support/test-signing.ts'

const INVESTORS = 20

describe.skipIf(isWithoutCitus)('a ledger moves', () => {
  let plain: TestDatabase
  let cluster: CitusDatabase
  let signing: Awaited<ReturnType<typeof createTestSigning>>
  const receipts: { receipt: string; verifierKeys: readonly string[] }[] = []
  beforeAll(async () => {
    ;[plain, cluster] = await Promise.all([createTestDatabase(), createCitusDatabase()])
    signing = await createTestSigning(plain.url)
  })
  afterAll(() => Promise.all([plain?.drop(), cluster?.drop()]))

  /** Records events in a place, and keeps a receipt of the last one. */
  async function use(database: TestDatabase): Promise<bigint> {
    const ledger = await startTestLedger({ database, signing })
    for (let count = 0; count < INVESTORS; count += 1) {
      await createFundedInvestor(ledger, { amountMinor: 5_000n })
    }
    const data = { transactionId: createId(Date.now()), amountMinor: 100n, note: null }
    const { event } = await requireRecorded(ledger.submit('FundReserve', data))
    receipts.push(await ledger.ask('receipt', { seq: event.seq }))
    await ledger.close()
    return event.seq + 1n
  }

  async function move(from: TestDatabase, to: TestDatabase): Promise<bigint> {
    const describePlace = (name: string, database: TestDatabase) => ({
      name,
      databaseUrl: database.urlFor('cairn_ledger'),
      readUrl: null,
      ledgers: [],
    })
    const { size } = await moveLedger({
      ledger: 1,
      source: describePlace('former', from),
      target: describePlace('next', to),
      durability: 'local',
      switchDirectory: async () => {},
    })
    return size
  }

  async function expectVerified(database: TestDatabase, events: bigint): Promise<void> {
    const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'test' })
    expect(await verifyLog(pool, { ledger: 1 })).toMatchObject({ events, problems: [] })
    await pool.end()
  }

  test('from a server to a cluster and back, with all events and receipts', async () => {
    const first = await use(plain)
    expect(await move(plain, cluster)).toBe(first)
    await expectVerified(cluster, first)

    const second = await use(cluster)
    expect(second).toBe(first + BigInt(2 * INVESTORS) + 1n)
    expect(await move(cluster, plain)).toBe(second)
    await expectVerified(plain, second)

    const third = await use(plain)
    await expectVerified(plain, third)
    expect(receipts).toHaveLength(3)
    for (const { receipt, verifierKeys } of receipts) {
      expect(await verifyReceipt(receipt, openKeys(verifierKeys))).toMatchObject({ lostIn: null })
    }
    // The keys of the last place verify the receipts of all places.
    const keys = openKeys(receipts.at(-1)?.verifierKeys ?? [])
    for (const { receipt } of receipts) await verifyReceipt(receipt, keys)
  })
})
