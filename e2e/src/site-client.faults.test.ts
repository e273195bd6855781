import { ALL_TRANSACTIONS, createId, type LedgerClient } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLedgerHomes } from '../../api-gateway/src/platform/ledger-client/ledger-homes.ts'
import { createSiteClient } from '../../api-gateway/src/platform/ledger-client/site-client.ts'
import { createSiteLedgers } from '../../api-gateway/src/platform/ledger-client/site-ledgers.ts'
import { addFundedUser } from '../../api-gateway/testing/further-ledger.ts'
import { createRemoteLedger } from '../../ledger-service/test/support/remote-ledger.ts'
import { requireRecorded } from '../../ledger-service/test/support/test-ledger.ts'
import type { TwoPlaces } from '../../ledger-service/test/support/two-places.ts'
import { createTwoLedgerSite, type TwoLedgerSite } from './two-ledger-site.ts'

const BASE = 2_000_000_000_000n
const LIST = { ...ALL_TRANSACTIONS, limit: 10 }

let twoLedgers: TwoLedgerSite
let places: TwoPlaces
let site: LedgerClient
let east: string
let west: string

beforeAll(async () => {
  twoLedgers = await createTwoLedgerSite()
  const { db } = twoLedgers
  places = twoLedgers.places
  const homes = createLedgerHomes(db, Date)
  site = createSiteClient(createSiteLedgers({ first: 1, homes, connect: places.client }))
  const store = { db, client: site }
  east = await addFundedUser(store, { ledger: 1, amountMinor: 5_000n })
  west = await addFundedUser(store, { ledger: 2, amountMinor: 7_000n })
})
afterAll(() => twoLedgers?.drop())

async function requestDeposit(investorId: string): Promise<string> {
  const transactionId = createId(Date.now())
  await requireRecorded(
    createRemoteLedger(site).submit('RequestDeposit', {
      transactionId,
      investorId,
      amountMinor: 2_000n,
      method: 'Bank',
      paymentOptionId: null,
      receiptId: 'receipt',
      receiptSha256: 'a'.repeat(64),
    }),
  )
  return transactionId
}

const readSize = async (ledger: number) =>
  (await places.client(ledger).ask('head', { size: null })).size
const listOwn = async (investorId: string) =>
  (await site.ask('transactions', { ...LIST, investorIds: [investorId] })).transactions

test('the commands of a person are recorded in their ledger, and read there', async () => {
  expect(await Promise.all([readSize(1), readSize(2)])).toEqual([2n, 2n])
  const { investors } = await site.ask('investors', { investorIds: [west, east] })
  expect(investors.map((one) => [one.investorId, one.available.balance])).toEqual([
    [west, 7_000n],
    [east, 5_000n],
  ])
  expect((await listOwn(west)).map(({ seq }) => seq)).toEqual([BASE + 1n])
  expect((await listOwn(east)).map(({ seq }) => seq)).toEqual([1n])
})

test('a command about a transaction finds its ledger, and its receipt verifies there', async () => {
  const transactionId = await requestDeposit(west)
  const sizes = [await readSize(1), await readSize(2)]
  const approve = { transactionId, paymentOptionId: 'bank', approvedMinor: 2_000n }
  const { event } = await requireRecorded(
    createRemoteLedger(site).submit('ApproveDeposit', approve),
  )
  expect(event.seq).toBe(BASE + (sizes[1] ?? 0n))
  expect(await readSize(1)).toBe(sizes[0])
  const found = await site.ask('receipt', { seq: event.seq })
  const own = await places.client(2).ask('receipt', { seq: event.seq - BASE })
  expect(found.verifierKeys).toEqual(own.verifierKeys)
  expect(found.verifierKeys[0]).toContain('/2+')
  const { event: shown } = await site.ask('event', { seq: event.seq })
  expect(shown).toMatchObject({ seq: event.seq, type: 'DepositApproved' })
})

test('lists and totals are those of both ledgers', async () => {
  const all = await site.ask('transactions', { ...LIST, investorIds: null })
  const each = await Promise.all(
    [1, 2].map((ledger) =>
      places.client(ledger).ask('transactions', { ...LIST, investorIds: null }),
    ),
  )
  expect(all.total).toBe(each.reduce((sum, { total }) => sum + total, 0))
  const times = all.transactions.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(new Set(all.transactions.map(({ investorId }) => investorId))).toEqual(
    new Set([east, west]),
  )
  const { totals } = await site.ask('totals', {})
  expect(totals.byKind.balance).toBe(14_000n)
  expect(totals.activeInvestors).toBe(2)
})

test('money of the operator stays in the first ledger', async () => {
  const size = await readSize(1)
  await requireRecorded(
    createRemoteLedger(site).submit('FundReserve', {
      transactionId: createId(Date.now()),
      amountMinor: 100n,
      note: null,
    }),
  )
  expect(await readSize(1)).toBe(size + 1n)
})

test('sabotaged twin: a client that does not know the second ledger finds none of its people', async () => {
  const homes = { listFurther: async () => [], findFurther: async () => new Map() }
  const blind = createSiteClient(createSiteLedgers({ first: 1, homes, connect: places.client }))
  expect(await blind.ask('investors', { investorIds: [west] })).toEqual({ investors: [] })
  expect((await blind.ask('totals', {})).totals.activeInvestors).toBe(1)
})

describe('while the server of the second ledger is down', () => {
  beforeAll(() => places.west.crash())

  test('the people of the first ledger are served', async () => {
    const before = (await listOwn(east)).length
    await requestDeposit(east)
    expect(await listOwn(east)).toHaveLength(before + 1)
  })

  test('nothing is counted without the second ledger, and nothing of it is taken for missing', async () => {
    const { ask } = site
    await expect(ask('totals', {})).rejects.toThrow('Ledger 2 does not answer')
    await expect(ask('transactions', { ...LIST, investorIds: null })).rejects.toThrow('Ledger 2')
    await expect(listOwn(west)).rejects.toThrow('Ledger 2')
    // The transaction could be in the second ledger, so the answer is not "there is none".
    const transactionId = createId(Date.now())
    await expect(ask('transaction', { transactionId })).rejects.toThrow('Ledger 2')
  })

  test('its people are served again after its start', async () => {
    await places.west.start()
    await expect
      .poll(() =>
        listOwn(west).then(
          (list) => list.length,
          () => null,
        ),
      )
      .toBe(2)
    expect((await site.ask('totals', {})).totals.activeInvestors).toBe(2)
  })
})
