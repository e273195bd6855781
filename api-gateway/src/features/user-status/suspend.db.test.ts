import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { visit } from '../../../testing/test-browser.ts'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { suspendAdmin } from './suspend.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

test('a suspended administrator loses access at once, and the proposals of this administrator fail', async () => {
  const [rogue, checker, third] = [
    await visit(gateway, 'admin'),
    await visit(gateway, 'admin'),
    await visit(gateway, 'admin'),
  ]
  await makeApprovers(
    gateway,
    [rogue, checker, third].map(({ userId }) => userId),
  )
  const text = { subject: 'Hello', body: 'A new text' }
  const path = '/admin/templates/welcome'
  const asked = getRequestedChange(await send(gateway, rogue, { method: 'PUT', path, body: text }))
  const { email } = rogue
  const { db, deps } = gateway
  await suspendAdmin(
    { ...deps, ledger: gateway.ledger.unrecorded },
    { email, nowMs: deps.clock.now() },
  )
  const me = await send(gateway, rogue, { method: 'GET', path: '/users/me' })
  expect(me.status).toBe(401)
  const { mode, approvers } = await gateway.ledger.ask('controls', {
    now: new Date().toISOString(),
  })
  expect(mode).toBe('required')
  expect(approvers.filter(({ isActive }) => isActive)).toHaveLength(2)
  const reply = await approveChange(gateway, checker, asked.id)
  expect([reply.status, reply.body.code]).toEqual([409, 'CHANGE_FAILED'])
  const mailed = await db
    .selectFrom('identity.outbox')
    .select('user_id')
    .where('kind', '=', 'admin-suspended')
    .execute()
  const others = [checker.userId, third.userId]
  expect(mailed.map(({ user_id }) => user_id).toSorted()).toEqual(others.toSorted())
  const audited = await db
    .selectFrom('platform.audit')
    .select('subject')
    .where('action', '=', 'cli.suspend')
    .execute()
  expect(audited).toEqual([{ subject: rogue.userId }])
})

test('only an administrator is suspended', async () => {
  const investor = await visit(gateway, 'investor')
  const { deps } = gateway
  const suspendByEmail = (email: string) => suspendAdmin(deps, { email, nowMs: deps.clock.now() })
  await expect(suspendByEmail(investor.email)).rejects.toThrow('is not an administrator')
  await expect(suspendByEmail('nobody@example.com')).rejects.toThrow('is not an administrator')
})
