import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { readLags } from './lags.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

test('the cursor of a follower that only another release has is no backlog', async () => {
  const { db, clock, ledger } = gateway.deps
  const at = new Date()
  await db
    .insertInto('platform.cursor')
    .values(['present.v2', 'former.v1'].map((name) => ({ name, seq: 0n, updated_at: at })))
    .execute()
  const lags = await readLags({ db, clock, ledger, followers: [{ name: 'present.v2' }] })
  expect(lags.map(({ name }) => name)).toEqual(['mail', 'present.v2'])
})
