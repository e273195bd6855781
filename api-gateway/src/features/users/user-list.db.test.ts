import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createAvailableFollower } from './available-follower.ts'
import { listUserRows, toCursor } from './user-list.ts'

type Wallet = { balance: number; profit: number; referralBalance: number }
type Listed = {
  users: { id: string; wallet: Wallet[] }[]
  meta: { next: string | null }
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  // The investor has 400.00 in the Wallet Balance. The stranger has less there, and more in all.
  const fund = (wallet_type: string, amount: string) =>
    scene.call(scene.admin, 'PATCH', `/users/${scene.stranger.userId}/wallets`, {
      wallet_type,
      amount,
      reason: 'A wallet other than the Wallet Balance',
    })
  await expectOk(fund('balance', '30.00'))
  await expectOk(fund('profit', '300.00'))
  await expectOk(fund('referralBalance', '200.00'))
  const { db, ledger, deps } = scene.gateway
  const { signal } = new AbortController()
  // Two workers read the same page of the feed at once. The postings of this page must be added to
  // the sums only once.
  await Promise.all(
    [1, 2].map(() =>
      followOnce({ db, ledger, clock: deps.clock }, createAvailableFollower(), signal),
    ),
  )
})
afterAll(() => scene?.gateway.stop())

const list = (query: string) => expectOk<Listed>(scene.call(scene.admin, 'GET', `/users?${query}`))
/**
 * Returns the amount by which the list is sorted, in cents. An administrator has no wallet and is
 * below every investor.
 */
const toAvailable = ({ wallet: [wallet] }: Listed['users'][number]) =>
  wallet === undefined
    ? -1
    : Math.round((wallet.balance + wallet.profit + wallet.referralBalance) * 100)

describe.each(['amount', '-amount', 'createdAt', '-createdAt'])('sorted by %s', (sort) => {
  test('pages after a row, and pages before a row, equal the whole list', async () => {
    const whole = (await list(`sort=${sort}`)).users.map(({ id }) => id)
    expect(whole.length).toBeGreaterThanOrEqual(4)
    const forwards: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const after: string = next === '' ? '' : `&after=${next}`
      const page: Listed = await list(`sort=${sort}&limit=1${after}`)
      forwards.push(...page.users.map(({ id }) => id))
      next = page.meta.next
    }
    expect(forwards).toEqual(whole)
    const backwards = whole.slice(-1)
    for (;;) {
      const { users } = await list(`sort=${sort}&limit=2&before=${backwards[0]}`)
      if (users.length === 0) break
      backwards.unshift(...users.map(({ id }) => id))
    }
    expect(backwards).toEqual(whole)
  })
})

test('a page after a row is also the last one if the call names a row before it', async () => {
  const ids = (await list('sort=amount')).users.map(({ id }) => id)
  const { users, meta } = await list(`sort=amount&after=${ids.at(-2)}&before=${ids[0]}`)
  expect(users.map(({ id }) => id)).toEqual(ids.slice(-1))
  expect(meta.next).toBeNull()
})

test('a page of an export begins at the amount that the row before it had', async () => {
  const { db } = scene.gateway
  const filter = { page: 1, limit: 100, sort: '-amount' } as const
  const reader = { permissions: new Set<never>() }
  const { rows } = await listUserRows(db, filter, reader)
  const [first] = rows
  if (first === undefined) throw new Error('there are users')
  const listIds = async (after: string) =>
    (await listUserRows(db, { ...filter, after }, reader)).rows.map(({ id }) => id)
  const { databaseUrl: url } = scene.gateway
  const superuser = openDatabase({ url, applicationName: 'test', onError: () => {} })
  const setAmount = (available_minor: bigint) =>
    superuser
      .updateTable('platform.investor_available')
      .set({ available_minor })
      .where('investor_id', '=', first.id)
      .execute()
  await setAmount(1n)
  const rest = await listIds(toCursor(first))
  // Its sabotaged twin: without the amount, the users between its old and its new position are missing.
  const restAfterId = await listIds(first.id)
  await setAmount(BigInt(first.sort_amount ?? 0))
  await superuser.destroy()
  expect(rest.filter((id) => id !== first.id)).toEqual(rows.slice(1).map(({ id }) => id))
  expect(restAfterId).not.toContain(rows[1]?.id)
})

test('users are sorted by the sum of their three wallets', async () => {
  const rising = (await list('sort=amount')).users.map(toAvailable)
  const falling = (await list('sort=-amount')).users.map(toAvailable)
  expect(rising).toEqual(rising.toSorted((left, right) => left - right))
  expect(falling).toEqual(rising.toReversed())
  // In the order of the Wallet Balance, the investor would be above the stranger.
  const [first, second] = (await list('sort=-amount')).users
  expect([first?.id, second?.id]).toEqual([scene.stranger.userId, scene.investor.userId])
  expect(first?.wallet[0]?.balance).toBeLessThan(second?.wallet[0]?.balance ?? 0)
  // If all amounts were equal, this test could not fail.
  expect(new Set(rising).size).toBeGreaterThanOrEqual(3)
})

test('users whose new name waits for a review are listed and exported', async () => {
  const { userId } = scene.stranger
  const setPendingName = (pending_name: string | null) =>
    scene.gateway.db
      .updateTable('identity.user')
      .set({ pending_name })
      .where('id', '=', userId)
      .execute()
  const listIds = async (query: string) => (await list(query)).users.map(({ id }) => id)
  const exportIds = async (query: string) => {
    const { cookie } = scene.admin
    const url = `${scene.gateway.url}/api/v1/users.csv?${query}`
    const text = await (await fetch(url, { headers: { cookie } })).text()
    return (await listIds('')).filter((id) => text.includes(id))
  }
  expect([await listIds('name=pending'), await exportIds('name=pending')]).toEqual([[], []])
  await setPendingName('Ada Changed')
  expect(await listIds('name=pending')).toEqual([userId])
  expect(await exportIds('name=pending')).toEqual([userId])
  expect(await listIds('name=pending&status=denied')).toEqual([])
  expect((await listIds('')).length).toBeGreaterThan(1)
  expect((await scene.call(scene.admin, 'GET', '/users?name=other')).status).toBe(400)
  await setPendingName(null)
})
