import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { openDatabase } from '../database/database.ts'
import type { Follower } from './follower.ts'
import { rewindCursors, rewindCursorsToForks } from './rewind-cursors.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

/** A follower that stores sums. */
const SUMS: Follower = {
  name: 'sums.v1',
  handle: async () => {},
  clear: async (trx) => {
    await trx.deleteFrom('platform.investor_available').execute()
  },
}
const INVESTOR = '01jd8x4zq3kr5v7w9yab'
const FORK = { size: 10n, at: '2026-11-25T10:00:00.000Z' }
const BEFORE = new Date('2026-11-25T09:00:00.000Z')
const AFTER = new Date('2026-11-25T11:00:00.000Z')

test('only cursors that passed lost events are moved back, once', async () => {
  const { db } = gateway.deps
  await db
    .insertInto('platform.cursor')
    .values([
      { name: 'ahead', seq: 25n, updated_at: BEFORE },
      { name: 'behind', seq: 8n, updated_at: BEFORE },
      { name: 'later', seq: 12n, updated_at: AFTER },
    ])
    .execute()
  const rewind = () =>
    rewindCursorsToForks(
      { db, followers: [] },
      { forks: [FORK], further: null, nowMs: AFTER.getTime() },
    )
  expect(await rewind()).toEqual(['ahead'])
  expect(await rewind()).toEqual([])
  const rows = await db
    .selectFrom('platform.cursor')
    .select(['name', 'seq'])
    .where('name', 'in', ['ahead', 'behind', 'later'])
    .orderBy('name')
    .execute()
  expect(rows.map(({ name, seq }) => [name, String(seq)])).toEqual([
    ['ahead', '9'],
    ['behind', '8'],
    ['later', '12'],
  ])
})

test('a fork of one ledger moves no cursor of another ledger', async () => {
  const { db } = gateway.deps
  const names = ['one.v1', 'one.v1@2', 'one.v1@22']
  await db
    .insertInto('platform.cursor')
    .values(names.map((name) => ({ name, seq: 30n, updated_at: BEFORE })))
    .execute()
  const rewind = (further: number | null) =>
    rewindCursorsToForks({ db, followers: [] }, { forks: [FORK], further, nowMs: AFTER.getTime() })
  expect(await rewind(2)).toEqual(['one.v1@2'])
  expect(await rewind(null)).toEqual(['one.v1'])
  expect(await rewind(22)).toEqual(['one.v1@22'])
})

test.each([null, 3])('a fork of the ledger %s makes sums begin again', async (further) => {
  const worker = openDatabase({
    url: gateway.workerUrl,
    applicationName: 'test',
    onError: () => {},
  })
  const names = ['sums.v1', 'sums.v1@3']
  await worker.deleteFrom('platform.investor_available').execute()
  await worker
    .insertInto('platform.investor_available')
    .values({ investor_id: INVESTOR, available_minor: 500n })
    .execute()
  await worker
    .insertInto('platform.cursor')
    .values(names.map((name) => ({ name, seq: 30n, updated_at: BEFORE })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq: 30n, updated_at: BEFORE }))
    .execute()
  const rewind = () =>
    rewindCursorsToForks(
      { db: worker, followers: [SUMS] },
      { forks: [FORK], further, nowMs: AFTER.getTime() },
    )
  expect(await rewind()).toEqual([further === null ? 'sums.v1' : 'sums.v1@3'])
  const readSums = () => worker.selectFrom('platform.investor_available').selectAll().execute()
  expect(await readSums()).toEqual([])
  const rows = await worker
    .selectFrom('platform.cursor')
    .select('seq')
    .where('name', 'in', names)
    .execute()
  expect(rows.map(({ seq }) => String(seq))).toEqual(['-1', '-1'])
  expect(await rewind()).toEqual([])
  await worker.destroy()
})

test('sabotaged twin: a log without a fork moves no cursor', async () => {
  const { db, ledger } = gateway.deps
  await db
    .insertInto('platform.cursor')
    .values({ name: 'far', seq: 1_000_000n, updated_at: BEFORE })
    .execute()
  expect(await rewindCursors({ db, ledger, followers: [] }, AFTER.getTime())).toEqual([])
})
