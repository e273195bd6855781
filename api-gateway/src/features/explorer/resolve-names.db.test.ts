import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

interface Found {
  events: { actor: string; postings: { account: string }[]; data: { investorId?: string } }[]
}

function searchEvents(query: Record<string, string>) {
  const path = `/admin/ledger/events?${new URLSearchParams(query)}`
  return scene.call(scene.admin, 'GET', path)
}

async function findEvents(query: Record<string, string>): Promise<Found['events']> {
  return (await expectOk<Found>(searchEvents(query))).events
}

test('the log is searched by the name or the email of a person', async () => {
  const { userId } = scene.investor
  const byId = await findEvents({ user: userId })
  expect(byId.length).toBeGreaterThan(2)
  expect(await findEvents({ user: `${userId}@EXAMPLE.com` })).toEqual(byId)
  expect(await findEvents({ user: `person ${userId}` })).toEqual(byId)
  const acts = await findEvents({ actor: `Person ${scene.admin.userId}` })
  expect(acts.length).toBeGreaterThan(1)
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set([`admin:${scene.admin.userId}`]))
  expect(await findEvents({ actor: 'system' })).not.toHaveLength(0)
})

test('an account is found by its code and by the name of its bank', async () => {
  const byBank = await findEvents({ account: 'example bank' })
  expect(byBank.length).toBeGreaterThan(0)
  for (const { postings } of byBank)
    expect(postings.some(({ account }) => account.startsWith('cash:'))).toBe(true)
  expect(await findEvents({ account: 'Reserve' })).toEqual(await findEvents({ account: 'reserve' }))
  expect(await findEvents({ account: 'Treasury' })).toEqual(
    await findEvents({ account: 'cash:treasury' }),
  )
})

test('reports a name that matches no user or several', async () => {
  expect(await searchEvents({ user: 'nobody%' })).toMatchObject({
    status: 422,
    body: { code: 'NOTHING_FOUND' },
  })
  expect(await searchEvents({ user: 'Person' })).toMatchObject({
    status: 422,
    body: { code: 'SEARCH_TOO_WIDE' },
  })
  expect((await searchEvents({ account: 'no such bank' })).status).toBe(422)
  expect((await searchEvents({ user: 'x\u0007y' })).status).toBe(400)
})
