import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { rewindCursors, rewindCursorsToForks } from './rewind-cursors.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

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
  const rewind = () => rewindCursorsToForks(db, { forks: [FORK], nowMs: AFTER.getTime() })
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
    rewindCursorsToForks(db, { forks: [FORK], further, nowMs: AFTER.getTime() })
  expect(await rewind(2)).toEqual(['one.v1@2'])
  expect(await rewind(null)).toEqual(['one.v1'])
  expect(await rewind(22)).toEqual(['one.v1@22'])
})

test('sabotaged twin: a log without a fork moves no cursor', async () => {
  const { db, ledger } = gateway.deps
  await db
    .insertInto('platform.cursor')
    .values({ name: 'far', seq: 1_000_000n, updated_at: BEFORE })
    .execute()
  expect(await rewindCursors({ db, ledger }, AFTER.getTime())).toEqual([])
})
