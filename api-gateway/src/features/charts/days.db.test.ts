import { isTimeZone } from '@cairn/gateway-contracts'
import type { RecordedEvent } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { createBonusFollower } from './bonuses.ts'
import { createCreditFollower } from './credits.ts'
import { createChartFollower } from './follower.ts'
import { listBalances, listFlows, listOperatorDays } from './queries.ts'

const investorId = '0123456789abcdefghjk'

let database: TestDatabase
let worker: Database
let gateway: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  worker = openAs('cairn_gateway_worker')
  gateway = openAs('cairn_gateway')
  // Clocks in Berlin go back on Sunday 25 October, which has 25 hours.
  const moments = [
    '2026-10-24T21:59:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T22:59:59.000Z',
    '2026-10-25T23:00:00.000Z',
    '2026-10-26T18:29:00.000Z',
    '2026-10-26T18:30:00.000Z',
  ]
  const deposits = moments.map(createDeposit)
  await worker.transaction().execute(async (trx) => {
    await createChartFollower().handle(deposits, trx, {})
    await createCreditFollower().handle(deposits.map(toFunding), trx, {})
    // The next page of events adds to the sums of the first.
    await createCreditFollower().handle(deposits.map(toFunding), trx, {})
    await createBonusFollower().handle(deposits.map(toBonus), trx, {})
    await createBonusFollower().handle(deposits.map(toBonus), trx, {})
  })
})
afterAll(async () => {
  await Promise.all([worker.destroy(), gateway.destroy()])
  await database.drop()
})

function createDeposit(effectiveAt: string, index: number): RecordedEvent {
  const amountMinor = 100n
  return createRecordedEvent({
    seq: BigInt(index),
    type: 'DepositApproved',
    recordedAt: effectiveAt,
    data: {
      transactionId: `0123456789abcdefghj${index}`,
      investorId,
      amountMinor: '100',
      feeMinor: '0',
      cash: 'cash:bank',
      requestedMinor: '100',
    },
    postings: [
      { account: `investor:${investorId}:balance`, amountMinor },
      { account: 'cash:bank', amountMinor: -amountMinor },
    ],
  })
}

function toFunding(deposit: RecordedEvent): RecordedEvent {
  return { ...deposit, type: 'WalletFunded' }
}

function toBonus(deposit: RecordedEvent): RecordedEvent {
  const data = { investmentId: investorId, bonusTo: investorId, bonusMinor: '100' }
  return { ...deposit, type: 'ReferralBonusPaid', data }
}

const span = { from: '2026-10-20', to: '2026-10-31' }

test.each([
  // Each row has a time zone and the deposits that are expected on each local day. The offset of
  // India from UTC includes half an hour.
  ['UTC', { '2026-10-24': 200n, '2026-10-25': 200n, '2026-10-26': 200n }],
  ['Europe/Berlin', { '2026-10-24': 100n, '2026-10-25': 200n, '2026-10-26': 300n }],
  ['Pacific/Pago_Pago', { '2026-10-24': 200n, '2026-10-25': 200n, '2026-10-26': 200n }],
  ['Asia/Kolkata', { '2026-10-25': 200n, '2026-10-26': 300n, '2026-10-27': 100n }],
] as const)('a day is the calendar day in %s', async (timeZone, days) => {
  const flows = await listFlows(gateway, { ...span, timeZone })
  expect(Object.fromEntries(flows.map(({ day, depositsMinor }) => [day, depositsMinor]))).toEqual(
    days,
  )
  let sum = 0n
  const sums = Object.entries(days).map(([day, added]) => {
    sum += added
    return { day, sum }
  })
  const held = await listBalances(gateway, { ...span, timeZone, investorId })
  expect(held.map(({ day, availableMinor }) => ({ day, sum: availableMinor }))).toEqual(sums)
  expect(held.map(({ day, paidInMinor }) => ({ day, sum: paidInMinor }))).toEqual(sums)
  // Each deposit was handled twice as a funding, and twice as a bonus.
  expect(held.map(({ day, creditedMinor }) => ({ day, sum: creditedMinor / 2n }))).toEqual(sums)
  expect(held.map(({ day, bonusMinor }) => ({ day, sum: bonusMinor / 2n }))).toEqual(sums)
  const operator = await listOperatorDays(gateway, { ...span, timeZone })
  expect(operator.map(({ day, byKind }) => ({ day, sum: byKind.get('balance') }))).toEqual(sums)
})

test('the balances before a range are the first point of the range', async () => {
  for (const timeZone of ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const range = { from: '2026-10-30', to: '2026-10-31', timeZone }
    expect(await listFlows(gateway, range)).toEqual([])
    expect(await listBalances(gateway, { ...range, investorId })).toMatchObject([
      {
        day: '2026-10-30',
        availableMinor: 600n,
        paidInMinor: 600n,
        creditedMinor: 1_200n,
        bonusMinor: 1_200n,
      },
    ])
    const [first, ...more] = await listOperatorDays(gateway, range)
    expect(first?.day).toBe('2026-10-30')
    expect(first?.byKind.get('balance')).toBe(600n)
    expect(more).toEqual([])
  }
})

test('the database knows the zones that can be chosen', async () => {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(gateway)
  const known = new Set(rows.map(({ name }) => name))
  const chosen = Intl.supportedValuesOf('timeZone').filter(isTimeZone)
  expect(chosen.length).toBeGreaterThan(400)
  expect(chosen.filter((zone) => !known.has(zone))).toEqual([])
})

test('the worker can remove all sums, after lost events', async () => {
  const followers = [createChartFollower(), createCreditFollower(), createBonusFollower()]
  const countRows = async () => {
    const { rows } = await sql<{ count: bigint }>`
      select (select count(*) from platform.operator_day)
        + (select count(*) from platform.operator_quarter)
        + (select count(*) from platform.investor_quarter)
        + (select count(*) from platform.flow_quarter)
        + (select count(*) from platform.investor_credit_quarter)
        + (select count(*) from platform.investor_bonus_quarter) as count`.execute(worker)
    return Number(rows[0]?.count)
  }
  expect(await countRows()).toBeGreaterThan(0)
  await worker.transaction().execute(async (trx) => {
    for (const { clear } of followers) await clear?.(trx)
  })
  expect(await countRows()).toBe(0)
})
