import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { visit } from '../../../testing/test-browser.ts'
import {
  openVisit,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { syncApprovers } from '../change-requests/index.ts'
import { setApprovalThreshold } from '../settings/approval-threshold.ts'
import { readControls } from '../users/index.ts'
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
  // Switches dual control off. In the mode `required`, the ledger would ask for two approvals for
  // each removal of an approver.
  await setDualControl(gateway, 'single')
  await syncApprovers(gateway.deps)
})

/** Adds administrators who are approvers, and requires dual control. */
async function addApprovers(count: number): Promise<readonly Visitor[]> {
  const visitors = await addAdmins(count)
  const [one, other, third] = visitors.map(({ userId }) => userId)
  await makeApprovers(
    gateway,
    [one, other, third].filter((id) => id !== undefined),
  )
  await setDualControl(gateway, 'required')
  return visitors
}

/**
 * Sets the threshold in the same way as `npm run admin -- approval-threshold`, which runs in
 * another process.
 */
async function setThreshold(amountMinor: bigint | null): Promise<bigint | null> {
  const deps = { db: gateway.db, ledger: gateway.ledger.unrecorded }
  const before = await setApprovalThreshold(deps, { amountMinor, nowMs: Date.now() })
  // The cached settings do not contain the new threshold, so the gateway must load the settings
  // again.
  gateway.deps.settings.forget()
  return before
}
const addAdmins = (count: number) =>
  Promise.all(Array.from({ length: count }, () => visit(gateway, 'admin')))
const DAY_MS = 86_400_000
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`
const KEPT = '409 STATUS_CONFLICT: At least two approvers must stay active'

const sendDeactivation = (by: Visitor, { userId }: Visitor) =>
  send(gateway, by, {
    method: 'PATCH',
    path: `/users/${userId}/status`,
    body: { status: 'deactivate' },
  })
const readThreshold = async () =>
  (await gateway.ledger.ask('rules', {})).rules.approvalThresholdMinor
async function approveRequest(asked: Reply, checker: Visitor): Promise<void> {
  const { status } = await approveChange(gateway, checker, getRequestedChange(asked).id)
  expect(status).toBe(200)
}
const sendRemoval = (by: Visitor, { userId }: Visitor) =>
  send(gateway, by, { method: 'DELETE', path: `/users/${userId}` })

describe('while dual control is required', () => {
  test('the last but one administrator is neither deactivated nor deleted', async () => {
    const [one, other, third] = await addApprovers(3)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    await approveRequest(await sendDeactivation(one, third), other)
    expect(formatReply(await sendDeactivation(one, other))).toBe(KEPT)
    expect(formatReply(await sendRemoval(one, other))).toBe(KEPT)
    // This user is no longer active, so the removal is allowed.
    await approveRequest(await sendRemoval(one, third), other)
  })

  test('an administrator who never set a password does not count', async () => {
    const [one, other] = await addApprovers(2)
    const [invited] = await addAdmins(1)
    if (one === undefined || other === undefined || invited === undefined) throw new Error('three')
    await gateway.db
      .updateTable('identity.user')
      .set({ password_hash: NO_PASSWORD })
      .where('id', '=', invited.userId)
      .execute()
    expect(formatReply(await sendDeactivation(one, other))).toBe(KEPT)
    await approveRequest(await sendDeactivation(one, invited), other)
  })

  test('an approver is removed also by a request that is approved on its last day', async () => {
    const [one, other, third] = await addApprovers(4)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    const { id } = getRequestedChange(await sendDeactivation(one, third))
    await gateway.moveAllClocks(6.5 * DAY_MS)
    const checker = await openVisit(gateway, other.userId)
    expect((await approveChange(gateway, checker, id)).status).toBe(200)
    const { approvers } = await readControls(gateway.deps)
    expect(approvers.find(({ approverId }) => approverId === third.userId)?.isActive).toBe(false)
  })

  test('an approver whose role no longer permits decisions does not count', async () => {
    const [one, other, third] = await addApprovers(3)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    // The role is replaced in the database only, so the ledger still has the approver.
    await gateway.db
      .updateTable('identity.admin_role')
      .set({ role: 'support' })
      .where('user_id', '=', third.userId)
      .execute()
    expect(formatReply(await sendDeactivation(one, other))).toBe(KEPT)
  })

  test('two concurrent removals leave two approvers', async () => {
    const [one, other, third] = await addApprovers(3)
    if (one === undefined || other === undefined || third === undefined) throw new Error('three')
    const [first, second] = [
      await sendDeactivation(other, third),
      await sendDeactivation(third, other),
    ]
    // The remaining approver `one` approves both changes. The session of a removed approver ends at
    // once, so `other` and `third` might not be able to approve.
    const replies = await Promise.all([
      approveChange(gateway, one, getRequestedChange(first).id),
      approveChange(gateway, one, getRequestedChange(second).id),
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

  test('sabotaged twin: without dual control, a single administrator may remain', async () => {
    const [one, other] = await addAdmins(2)
    if (one === undefined || other === undefined) throw new Error('two')
    expect((await sendDeactivation(one, other)).status).toBe(200)
  })
})

describe('the threshold in the settings', () => {
  const saveThreshold = async (by: Visitor, approvalThreshold: number | null) => {
    const { body } = await send(gateway, by, { method: 'GET', path: '/admin/settings' })
    const { settings } = body.data as unknown as { settings: { security: object } }
    return send(gateway, by, {
      method: 'POST',
      path: '/admin/settings',
      body: { ...settings, security: { ...settings.security, approvalThreshold } },
    })
  }

  test('is set and lowered by one administrator, and raised and cleared by two or on the server', async () => {
    const [one, other] = await addApprovers(2)
    if (one === undefined || other === undefined) throw new Error('two')
    expect((await saveThreshold(one, 500)).status).toBe(200)
    expect((await saveThreshold(one, 100)).status).toBe(200)
    const clearing = getRequestedChange(await saveThreshold(one, null))
    const withdraw = `/admin/approvals/${clearing.id}/withdraw`
    expect((await send(gateway, one, { method: 'POST', path: withdraw })).status).toBe(200)
    const raising = await saveThreshold(one, 100.01)
    expect(await readThreshold()).toBe(10_000n)
    await approveRequest(raising, other)
    expect(await readThreshold()).toBe(10_001n)
    expect((await saveThreshold(one, 100)).status).toBe(200)
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

  test('can be cleared by the only administrator', async () => {
    const [only] = await addApprovers(1)
    if (only === undefined) throw new Error('one')
    expect((await saveThreshold(only, 100)).status).toBe(200)
    expect((await saveThreshold(only, null)).status).toBe(200)
  })
})
