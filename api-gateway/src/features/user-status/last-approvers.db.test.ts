import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, requestedIn } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { visit } from '../../../testing/test-browser.ts'
import {
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { syncApprovers } from '../change-requests/index.ts'
import { setApprovalThreshold } from '../settings/approval-threshold.ts'
import { NO_PASSWORD } from '../users/new-admin.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

beforeEach(async () => {
  await gateway.db
    .updateTable('identity.user')
    .set({ status: 'deactivated' })
    .where('role', '=', 'admin')
    .execute()
  // While dual control is required, the ledger refuses to remove an approver without two approvals.
  await setDualControl(gateway, 'single')
  await syncApprovers(gateway.deps)
})

/** Administrators who are approvers, under dual control. */
async function approvers(count: number): Promise<readonly Visitor[]> {
  const visitors = await admins(count)
  const [one, other, third] = visitors.map(({ userId }) => userId)
  await makeApprovers(
    gateway,
    [one, other, third].filter((id) => id !== undefined),
  )
  await setDualControl(gateway, 'required')
  return visitors
}

/** As `npm run admin -- approval-threshold` does in another process. */
async function setThreshold(amountMinor: bigint | null): Promise<bigint | null> {
  const deps = { db: gateway.db, ledger: gateway.ledger.unrecorded }
  const before = await setApprovalThreshold(deps, { amountMinor, nowMs: Date.now() })
  // The gateway's cached copy may be half a second old.
  gateway.deps.settings.forget()
  return before
}
const admins = (count: number) =>
  Promise.all(Array.from({ length: count }, () => visit(gateway, 'admin')))
const said = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`
const KEPT = '409 STATUS_CONFLICT: At least two approvers must stay active'

const deactivate = (by: Visitor, { userId }: Visitor) =>
  send(gateway, by, {
    method: 'PATCH',
    path: `/users/${userId}/status`,
    body: { status: 'deactivate' },
  })
const threshold = async () => (await gateway.ledger.ask('rules', {})).rules.approvalThresholdMinor
async function agree(asked: Reply, checker: Visitor): Promise<void> {
  const { status } = await approveChange(gateway, checker, requestedIn(asked).id)
  expect(status).toBe(200)
}
const remove = (by: Visitor, { userId }: Visitor) =>
  send(gateway, by, { method: 'DELETE', path: `/users/${userId}` })

describe('while dual control is required', () => {
  test('the last but one administrator is neither deactivated nor deleted', async () => {
    const [one, other, third] = await approvers(3)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    await agree(await deactivate(one, third), other)
    expect(said(await deactivate(one, other))).toBe(KEPT)
    expect(said(await remove(one, other))).toBe(KEPT)
    // This administrator is no longer active, so the removal is allowed.
    await agree(await remove(one, third), other)
  })

  test('one who never set a password does not count', async () => {
    const [one, other] = await approvers(2)
    const [invited] = await admins(1)
    if (one === undefined || other === undefined || invited === undefined) throw new Error('three')
    await gateway.db
      .updateTable('identity.user')
      .set({ password_hash: NO_PASSWORD })
      .where('id', '=', invited.userId)
      .execute()
    expect(said(await deactivate(one, other))).toBe(KEPT)
    await agree(await deactivate(one, invited), other)
  })

  test('two removals at once leave two', async () => {
    const [one, other, third] = await approvers(3)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    const [first, second] = [await deactivate(one, other), await deactivate(other, third)]
    const replies = await Promise.all([
      approveChange(gateway, third, requestedIn(first).id),
      approveChange(gateway, one, requestedIn(second).id),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const active = await gateway.db
      .selectFrom('identity.user')
      .select('id')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .execute()
    expect(active).toHaveLength(2)
  })

  test('sabotaged twin: without one, a single administrator may stay', async () => {
    const [one, other] = await admins(2)
    if (one === undefined || other === undefined) throw new Error('two')
    expect((await deactivate(one, other)).status).toBe(200)
  })
})

describe('the threshold in the settings', () => {
  const save = async (by: Visitor, approvalThreshold: number | null) => {
    const { body } = await send(gateway, by, { method: 'GET', path: '/admin/settings' })
    const { settings } = body.data as unknown as { settings: { security: object } }
    return send(gateway, by, {
      method: 'POST',
      path: '/admin/settings',
      body: { ...settings, security: { ...settings.security, approvalThreshold } },
    })
  }

  test('is set and lowered by one, and raised and cleared by two or on the server', async () => {
    const [one, other] = await approvers(2)
    if (one === undefined || other === undefined) throw new Error('two')
    expect((await save(one, 500)).status).toBe(200)
    expect((await save(one, 100)).status).toBe(200)
    const clearing = requestedIn(await save(one, null))
    const withdraw = `/admin/approvals/${clearing.id}/withdraw`
    expect((await send(gateway, one, { method: 'POST', path: withdraw })).status).toBe(200)
    const raising = await save(one, 100.01)
    expect(await threshold()).toBe(10_000n)
    await agree(raising, other)
    expect(await threshold()).toBe(10_001n)
    expect((await save(one, 100)).status).toBe(200)
    expect(await setThreshold(90_000n)).toBe(10_000n)
    expect(await setThreshold(null)).toBe(90_000n)
    const audited = await gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('action', '=', 'cli.approval-threshold')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(audited.details).toEqual({ before: '90000', after: null })
  })

  test('is cleared by the only administrator, whom it cannot bind', async () => {
    const [only] = await approvers(1)
    if (only === undefined) throw new Error('one')
    expect((await save(only, 100)).status).toBe(200)
    expect((await save(only, null)).status).toBe(200)
  })
})
