import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCashFollower } from '../../api-gateway/src/features/bank-statements/cash-movements.ts'
import { createAvailableFollower } from '../../api-gateway/src/features/users/available-follower.ts'
import { type Database, openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { isCaughtUp } from '../../api-gateway/src/platform/files/sweep.ts'
import {
  createFurtherFollowing,
  type FurtherFollowing,
  startFollowers,
} from '../../api-gateway/src/platform/jobs/follow-ledgers.ts'
import { followOnce } from '../../api-gateway/src/platform/jobs/follower.ts'
import { readLags } from '../../api-gateway/src/platform/jobs/lags.ts'
import { claimLedger } from '../../api-gateway/src/platform/ledger-client/site-ledger.ts'
import { createRemoteLedger } from '../../ledger-service/test/support/remote-ledger.ts'
import {
  createFundedInvestor,
  requireRecorded,
} from '../../ledger-service/test/support/test-ledger.ts'
import { startTwoPlaces, type TwoPlaces } from '../../ledger-service/test/support/two-places.ts'

const OPTION = 'bank'
const AVAILABLE = 'available.v1'

let places: TwoPlaces
let database: TestDatabase
/** The connections of the gateway and of its worker. */
let gateway: Database
let worker: Database
let further: FurtherFollowing
let first: LedgerClient
const stopping = new AbortController()

beforeAll(async () => {
  ;[places, database] = await Promise.all([
    startTwoPlaces({ east: [1], west: [2] }),
    createTestDatabase(),
  ])
  const open = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = open('cairn_gateway')
  worker = open('cairn_gateway_worker')
  first = places.client(1)
  await claimLedger(gateway, 1)
  const followers = [createAvailableFollower(), createCashFollower()]
  const log = pino({ level: 'silent' })
  const following = { db: worker, clock: Date, log, signal: stopping.signal, followers }
  startFollowers(following, { ledger: first })
  further = createFurtherFollowing({ ...following, connect: places.client })
})
afterAll(async () => {
  stopping.abort()
  await further?.waitForEnd()
  await Promise.all([gateway?.destroy(), worker?.destroy()])
  await Promise.all([database?.drop(), places?.drop()])
})

/** Creates an investor whose wallet is funded, and who has paid the same amount at the bank. */
async function addInvestor(ledger: number, amountMinor: bigint): Promise<string> {
  const remote = createRemoteLedger(places.client(ledger))
  const investorId = await createFundedInvestor(remote, { amountMinor })
  const transactionId = createId(Date.now())
  const deposit = { transactionId, investorId, amountMinor, method: 'Bank', receiptId: 'receipt' }
  await requireRecorded(
    remote.submit('RequestDeposit', {
      ...deposit,
      paymentOptionId: OPTION,
      receiptSha256: transactionId
        .padEnd(64, '0')
        .replaceAll(/[^0-9a-f]/g, '0')
        .slice(0, 64),
    }),
  )
  await requireRecorded(
    remote.submit('ApproveDeposit', {
      transactionId,
      paymentOptionId: OPTION,
      approvedMinor: amountMinor,
    }),
  )
  return investorId
}

async function readAvailable(investorId: string): Promise<string | null> {
  const row = await worker
    .selectFrom('platform.investor_available')
    .select('available_minor')
    .where('investor_id', '=', investorId)
    .executeTakeFirst()
  return row?.available_minor ?? null
}

async function listMovements(): Promise<readonly string[]> {
  const rows = await worker
    .selectFrom('platform.cash_movement')
    .select(['seq', 'amount_minor'])
    .where('option', '=', OPTION)
    .orderBy('seq')
    .execute()
  return rows.map((row) => `${row.seq}: ${row.amount_minor}`)
}

const listLags = async () =>
  readLags({
    db: worker,
    clock: Date,
    ledger: first,
    followers: [{ name: AVAILABLE }, createCashFollower()],
    furtherLedgers: await further.refresh(),
  })

const checkCaughtUp = async () =>
  isCaughtUp(worker, {
    follower: AVAILABLE,
    ledgers: [{ ledger: first }, ...(await further.refresh())],
  })

const addSecondLedger = () =>
  gateway
    .insertInto('platform.ledger')
    .values({ ledger_id: 2, name: 'West', is_open: true, added_at: sql<Date>`now()` })
    .execute()

test('the followers read the first ledger only, until another one is added', async () => {
  const [east, west] = [await addInvestor(1, 5000n), await addInvestor(2, 7000n)]
  await expect.poll(() => readAvailable(east)).toBe('10000')
  expect(await further.refresh()).toEqual([])
  expect(await readAvailable(west)).toBeNull()

  await addSecondLedger()
  expect(await further.refresh()).toMatchObject([{ further: 2 }])
  await expect.poll(() => readAvailable(west)).toBe('14000')
  expect(await readAvailable(east)).toBe('10000')
})

test('events with the same number in their ledgers have two numbers in the site', async () => {
  await expect.poll(listMovements).toEqual(['3: 5000', '2000000000003: 7000'])
  const names = await worker.selectFrom('platform.cursor').select('name').orderBy('name').execute()
  expect(names.map(({ name }) => name)).toEqual([
    AVAILABLE,
    'available.v1@2',
    'cash.v1',
    'cash.v1@2',
  ])
  await expect.poll(checkCaughtUp).toBe(true)
})

test('sabotaged twin: with the cursor of the first ledger, events of another one are lost', async () => {
  const other = await addInvestor(2, 9000n)
  await expect.poll(() => readAvailable(other)).toBe('18000')
  const follower = { ...createAvailableFollower(), name: 'twin.v1' }
  const seen: bigint[] = []
  const counting = {
    ...follower,
    handle: async (events: readonly { seq: bigint }[]) => {
      seen.push(...events.map(({ seq }) => seq))
    },
  }
  const read = (ledger: number, own: { further?: number }) =>
    followOnce(
      { db: worker, clock: Date, ledger: places.client(ledger), ...own },
      counting,
      stopping.signal,
    )
  await read(1, {})
  const ofFirst = seen.length
  await read(2, {})
  // The first events of ledger 2 have the numbers of events that were read in ledger 1.
  expect(seen.slice(ofFirst)[0]).toBe(BigInt(ofFirst))
  const size = (await places.client(2).ask('head', { size: null })).size
  expect(BigInt(seen.length - ofFirst)).toBeLessThan(size)
  seen.length = 0
  await read(2, { further: 2 })
  expect(BigInt(seen.length)).toBe(size)
})

describe('while the server of the second ledger is down', () => {
  beforeAll(() => places.west.crash())

  test('the followers of the first ledger go on, and the jobs name the second one', async () => {
    const east = await addInvestor(1, 3000n)
    await expect.poll(() => readAvailable(east)).toBe('6000')
    const lags = await listLags()
    const silent = lags.find(({ name }) => name === 'Ledger 2 does not answer')
    expect(silent).toMatchObject({ unit: 'seconds' })
    expect(silent?.value).toBeGreaterThan(0)
    // No lag of the second ledger is reported as zero.
    expect(lags.filter(({ name }) => name.endsWith('@2'))).toEqual([])
  })

  test('no upload is removed, because an event of the second ledger can refer to it', async () => {
    await expect(checkCaughtUp()).rejects.toThrow('Ledger 2 does not answer')
  })

  test('after its start, the followers read what was recorded meanwhile, once', async () => {
    const before = await listMovements()
    await places.west.start()
    await expect.poll(async () => (await places.fund(2))?.outcome).toBe('recorded')
    const west = await addInvestor(2, 5000n)
    await expect.poll(() => readAvailable(west)).toBe('10000')
    await expect.poll(async () => (await listMovements()).length).toBe(before.length + 1)
    await expect.poll(checkCaughtUp).toBe(true)
    const names = (await listLags()).map(({ name }) => name)
    expect(names).toContain('available.v1@2')
    expect(names).not.toContain('Ledger 2 does not answer')
  })
})
