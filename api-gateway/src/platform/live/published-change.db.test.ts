import type { LiveTopic } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'
import { announceToAdmins } from '../../features/notifications/index.ts'
import { parseChange, publishChange } from './published-change.ts'

const CHANNEL = 'cairn_notified'

let scene: Scene
let third: Visitor
/** Receives what each other gateway process on this database receives. */
let other: pg.Client
let payloads: string[] = []
let markers = 0
beforeAll(async () => {
  scene = await startScene()
  const { gateway, admin, second } = scene
  third = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  await makeApprovers(gateway, [admin.userId, second.userId, third.userId])
  other = new pg.Client({ connectionString: gateway.databaseUrl })
  await other.connect()
  other.on('notification', ({ payload = '' }) => payloads.push(payload))
  await other.query(`listen ${CHANNEL}`)
})
afterAll(async () => {
  await other?.end()
  await scene?.gateway.stop()
})
beforeEach(() => {
  payloads = []
})

/**
 * Returns a function that lists the users whose pages load a topic again. A message of its own
 * shows that all earlier messages have arrived.
 */
async function readMessages(): Promise<(topic: LiveTopic) => ReadonlySet<string>> {
  markers += 1
  const marker = `marker:${markers}`
  await sql`select pg_notify(${CHANNEL}, ${marker})`.execute(scene.gateway.db)
  await expect.poll(() => payloads.includes(marker)).toBe(true)
  const changes = payloads.map(parseChange)
  payloads = []
  return (topic) =>
    new Set(changes.flatMap((change) => (change?.topic === topic ? change.userIds : [])))
}

test('a change request reaches the pages on every gateway at each step', async () => {
  const { admin, second, call, gateway } = scene
  const text = { subject: 'Hello', body: 'A new text' }
  const propose = () => call(admin, 'PUT', '/admin/templates/welcome', text)
  const everybody = new Set([admin.userId, second.userId, third.userId])
  const asked = getRequestedChange(await propose())
  const proposed = await readMessages()
  expect(proposed('approvals')).toEqual(everybody)
  expect(proposed('notifications')).toEqual(new Set([second.userId, third.userId]))
  await expectOk(
    call(second, 'POST', `/admin/approvals/${asked.id}/reject`, { reason: 'Not this year' }),
  )
  expect((await readMessages())('approvals')).toEqual(everybody)
  const again = getRequestedChange(await propose())
  await readMessages()
  await expectOk(approveChange(gateway, second, again.id))
  const executed = await readChange(gateway, second, again.id)
  expect(executed.state).toBe('executed')
  expect((await readMessages())('notifications')).toContain(admin.userId)
})

test('new roles reach the pages of their administrator on every gateway', async () => {
  const { admin, second, call, gateway } = scene
  const body = { roles: [{ role: 'support', endsAt: null }], reason: 'Now in the support team' }
  const asked = await call(admin, 'PUT', `/users/${third.userId}/roles`, body)
  await readMessages()
  await expectOk(approveChange(gateway, second, getRequestedChange(asked).id))
  expect((await readMessages())('account')).toEqual(new Set([third.userId]))
})

test('a message about a notification arrives only after its commit', async () => {
  const { gateway, admin } = scene
  await gateway.db.transaction().execute(async (trx) => {
    await announceToAdmins(trx, {
      permission: 'roles.read',
      source: 'request/a-test',
      kind: 'security',
      title: 'The roles were changed',
      body: 'By a test',
      link: '/manage/admin/users',
      nowMs: gateway.deps.clock.now(),
    })
    expect((await readMessages())('notifications')).toEqual(new Set())
  })
  expect((await readMessages())('notifications')).toContain(admin.userId)
})

test('a change of many users is split into payloads that PostgreSQL accepts', async () => {
  const userIds = Array.from({ length: 1_000 }, (_, place) => String(place).padStart(20, '0'))
  await publishChange(scene.gateway.db, { topic: 'approvals', userIds })
  expect((await readMessages())('approvals')).toEqual(new Set(userIds))
})

test('a message of release 0.9.0 has no topic, and an unknown topic is ignored', () => {
  expect(parseChange('a,b')).toEqual({ topic: 'notifications', userIds: ['a', 'b'] })
  expect(parseChange('approvals:a')).toEqual({ topic: 'approvals', userIds: ['a'] })
  expect(parseChange('unknown-topic:a')).toBeNull()
})
