import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'

const EMAIL = 'wilhelmina.quarrel@example.test'
/** Texts that the address contains, or that match it as a pattern. */
const PARTS = ['wilhelmina', 'quarrel@', '@example.test', EMAIL.slice(1), `_${EMAIL.slice(1)}`]

/** The searches that find people by their addresses. */
const SEARCHES = [
  '/users?q=',
  '/users.csv?q=',
  '/transactions?q=',
  '/transactions.csv?q=',
  '/investments?q=',
  '/investments.csv?q=',
  '/admin/ledger/events?user=',
  '/admin/ledger/events?actor=',
  '/admin/ledger/events.csv?user=',
  '/admin/ledger/events.csv?actor=',
]

let scene: Scene
let auditor: Visitor
beforeAll(async () => {
  scene = await startScene()
  const { gateway, investor } = scene
  await gateway.db
    .updateTable('identity.user')
    .set({ email: EMAIL })
    .where('id', '=', investor.userId)
    .execute()
  const role = { role: 'admin', status: 'active', roles: ['auditor'] } as const
  auditor = await openVisit(gateway, await addUser(gateway, role))
})
afterAll(() => scene?.gateway.stop())

/** Returns true if the search finds the investor. */
async function isInvestorFound(visitor: Visitor, search: string, text: string): Promise<boolean> {
  const url = `${scene.gateway.url}/api/v1${search}${encodeURIComponent(text)}`
  const response = await fetch(url, { headers: { cookie: visitor.cookie } })
  // The explorer answers 422 if no user matches.
  expect([200, 422]).toContain(response.status)
  return (await response.text()).includes(scene.investor.userId)
}

describe.each(SEARCHES)('%s', (search) => {
  test('finds no part of an address for a role that sees addresses masked', async () => {
    for (const part of PARTS) expect(await isInvestorFound(auditor, search, part)).toBe(false)
  })

  test('finds the complete address and the name for every role', async () => {
    for (const text of [EMAIL.toUpperCase(), `person ${scene.investor.userId}`]) {
      expect(await isInvestorFound(auditor, search, text)).toBe(true)
    }
  })

  test('sabotaged twin: with the permission, a part of the address is enough', async () => {
    expect(await isInvestorFound(scene.admin, search, 'quarrel@')).toBe(true)
  })
})
