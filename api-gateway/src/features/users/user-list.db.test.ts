import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createBalanceFollower } from './balance-follower.ts'

type Listed = {
  users: { id: string; wallet: { balance: number }[] }[]
  meta: { next: string | null }
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  const { db, ledger, deps } = scene.gateway
  const { signal } = new AbortController()
  // Two workers read the same page of the feed at once. The postings of this page must be added to
  // the balances only once.
  await Promise.all(
    [1, 2].map(() =>
      followOnce({ db, ledger, clock: deps.clock }, createBalanceFollower(), signal),
    ),
  )
})
afterAll(() => scene?.gateway.stop())

const list = (query: string) => expectOk<Listed>(scene.call(scene.admin, 'GET', `/users?${query}`))
/**
 * Returns the balance by which the list is sorted. An administrator has no wallet and is below
 * every balance.
 */
const toBalance = ({ wallet: [wallet] }: Listed['users'][number]) => wallet?.balance ?? -0.01

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

test('users are sorted by the balance that the list shows', async () => {
  const rising = (await list('sort=amount')).users.map(toBalance)
  const falling = (await list('sort=-amount')).users.map(toBalance)
  expect(rising).toEqual(rising.toSorted((left, right) => left - right))
  expect(falling).toEqual(rising.toReversed())
  // If all balances were equal, this test could not fail.
  expect(new Set(rising).size).toBeGreaterThanOrEqual(3)
})
