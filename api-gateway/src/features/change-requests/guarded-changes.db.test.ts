import type { ChangeLine } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'

// These tests cover changes to controls, payment destinations and administrators.

let scene: Scene
let third: Visitor
beforeAll(async () => {
  scene = await startScene()
  third = await addAdmin()
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId, third.userId])
})
afterAll(() => scene?.gateway.stop())

async function addAdmin(): Promise<Visitor> {
  return openVisit(scene.gateway, await addUser(scene.gateway, { role: 'admin', status: 'active' }))
}

const formatReply = ({ status, body }: Reply) => `${status} ${body.code}`
const approveRequest = (asked: Reply, checker = scene.second) =>
  expectOk(approveChange(scene.gateway, checker, getRequestedChange(asked).id))
const readReason = async (asked: Reply): Promise<string> =>
  (await readChange(scene.gateway, scene.second, getRequestedChange(asked).id)).reason
const readLines = async (asked: Reply): Promise<ChangeLine[]> =>
  (await readChange(scene.gateway, scene.second, getRequestedChange(asked).id)).lines

describe('a payment option', () => {
  const FORM = { payOption: 'Bank Transfer', bank: 'Second Bank', accountNumber: '22' }
  const listOptions = async (visitor = scene.investor) =>
    (
      await expectOk<{ paymentOptions: { id: string; bank: string; accountNumber: string }[] }>(
        scene.call(visitor, 'GET', '/paymentOptions'),
      )
    ).paymentOptions

  test('is added, redirected and removed by two administrators', async () => {
    const { admin, call } = scene
    const before = await listOptions()
    const adding = await call(admin, 'POST', '/paymentOptions', FORM)
    expect(adding.body.errors).toContainEqual({ accountNumber: expect.stringContaining('Waiting') })
    expect(await listOptions()).toEqual(before)
    await approveRequest(adding)
    const added = (await listOptions()).find(({ bank }) => bank === 'Second Bank')
    const path = `/paymentOptions/${added?.id}`
    const moving = await call(admin, 'PATCH', path, { accountNumber: '99', reason: 'New branch' })
    expect(await readLines(moving)).toEqual([
      { label: 'Account number', type: 'text', before: '22', after: '99' },
    ])
    expect(await listOptions()).toContainEqual(expect.objectContaining({ accountNumber: '22' }))
    // Only one change to a payment option can be pending. The removal of an option counts as a
    // change.
    expect(formatReply(await call(admin, 'DELETE', path))).toBe('409 CHANGE_PENDING')
    await approveRequest(moving)
    expect(await listOptions()).toContainEqual(expect.objectContaining({ accountNumber: '99' }))
    const removing = await call(admin, 'DELETE', path, { reason: 'The bank closed it' })
    expect(await readReason(removing)).toBe('The bank closed it')
    await approveRequest(removing)
    expect(await listOptions()).toEqual(before)
  })

  test('can be hidden by one administrator, and shown again only by two administrators', async () => {
    const { admin, call } = scene
    const [known] = await listOptions()
    const path = `/paymentOptions/${known?.id}`
    await expectOk(call(admin, 'PATCH', path, { displayStatus: false }))
    expect(await listOptions()).toEqual([])
    await approveRequest(await call(admin, 'PATCH', path, { displayStatus: true }))
    expect(await listOptions()).toHaveLength(1)
  })

  test('sabotaged twin: with single control, one administrator diverts deposits', async () => {
    await setDualControl(scene.gateway, 'single')
    const [known] = await listOptions()
    const path = `/paymentOptions/${known?.id}`
    await expectOk(scene.call(scene.admin, 'PATCH', path, { accountNumber: 'stolen' }))
    expect((await listOptions())[0]?.accountNumber).toBe('stolen')
    await setDualControl(scene.gateway, 'required')
  })
})

test('a mail text is changed and restored by two administrators', async () => {
  const { admin, call } = scene
  const path = '/admin/templates/welcome'
  const text = { subject: 'Hello', body: 'A new text' }
  const saving = await call(admin, 'PUT', path, text)
  expect(await readLines(saving)).toMatchObject([
    { label: 'Subject', after: 'Hello' },
    { label: 'Text', after: 'A new text' },
  ])
  type Listed = { templates: { kind: string; subject: string; isEdited: boolean }[] }
  const readTemplate = async () =>
    (await expectOk<Listed>(call(admin, 'GET', '/admin/templates'))).templates.find(
      ({ kind }) => kind === 'welcome',
    )
  expect(await readTemplate()).toMatchObject({ isEdited: false })
  await approveRequest(saving)
  expect(await readTemplate()).toMatchObject({ subject: 'Hello', isEdited: true })
  const restoring = await call(admin, 'DELETE', path, { reason: 'Simpler for readers' })
  expect(await readReason(restoring)).toBe('Simpler for readers')
  await approveRequest(restoring)
  expect(await readTemplate()).toMatchObject({ isEdited: false })
})

describe('the reason of a removal', () => {
  test('is the title of the change for a client that sends none, or another body', async () => {
    const { admin, call } = scene
    const text = { subject: 'Hello', body: 'A new text' }
    await approveRequest(await call(admin, 'PUT', '/admin/templates/welcome', text))
    for (const body of [undefined, { note: 'of an unmodified client' }]) {
      const asked = await call(admin, 'DELETE', '/admin/templates/welcome', body)
      const { id, title } = getRequestedChange(asked)
      expect(await readReason(asked)).toBe(title)
      await expectOk(call(admin, 'POST', `/admin/approvals/${id}/withdraw`))
    }
  })

  test('of a plan is in the audit log, because one administrator archives it', async () => {
    const { admin, call, planId } = scene
    const reason = 'Replaced by a longer term'
    expect((await call(admin, 'DELETE', `/plans/${planId}`, { reason })).status).toBe(204)
    const { entries } = await expectOk<{ entries: { details: object }[] }>(
      call(admin, 'GET', `/admin/audit?subject=${planId}`),
    )
    expect(entries).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ reason }) }),
    )
  })
})

describe('another administrator', () => {
  const isApprover = async ({ userId }: Visitor) =>
    (await scene.gateway.ledger.ask('controls', { now: new Date().toISOString() })).approvers.some(
      ({ approverId, isActive }) => approverId === userId && isActive,
    )
  const readStatus = async ({ userId }: Visitor) =>
    await scene.gateway.db
      .selectFrom('identity.user')
      .select(['status', 'mfa_enabled_at', 'is_reset_required', 'deleted_at'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()

  test('is deactivated by two others, and does not decide on this request', async () => {
    const { admin, second, call } = scene
    const target = await addAdmin()
    await makeApprovers(scene.gateway, [target.userId])
    const path = `/users/${target.userId}/status`
    const asked = await call(admin, 'PATCH', path, { status: 'deactivate' })
    const { id } = getRequestedChange(asked)
    expect(await readStatus(target)).toMatchObject({ status: 'active' })
    expect(await isApprover(target)).toBe(true)
    expect(formatReply(await approveChange(scene.gateway, target, id))).toBe('409 BENEFICIARY')
    const reject = await call(target, 'POST', `/admin/approvals/${id}/reject`, { reason: 'No' })
    expect(formatReply(reject)).toBe('409 BENEFICIARY')
    await approveRequest(asked)
    expect(await readStatus(target)).toMatchObject({ status: 'deactivated' })
    // The gateway has sent both approvals to the ledger, so the ledger has removed the approver.
    expect(await isApprover(target)).toBe(false)
    await approveRequest(await call(second, 'PATCH', path, { status: 'active' }), third)
    expect(await isApprover(target)).toBe(true)
  })

  test('sabotaged twin: a person who is no beneficiary may decide on the same request', async () => {
    const { admin, call } = scene
    const target = await addAdmin()
    const path = `/users/${target.userId}/status`
    const asked = await call(admin, 'PATCH', path, { status: 'deactivate' })
    await approveRequest(asked, third)
    expect(await readStatus(target)).toMatchObject({ status: 'deactivated' })
  })

  test('a referrer neither proposes nor approves changes to the referred person', async () => {
    const { admin, second, call, gateway } = scene
    const target = await addAdmin()
    await gateway.db
      .updateTable('identity.user')
      .set({ referrer_id: second.userId })
      .where('id', '=', target.userId)
      .execute()
    const path = `/users/${target.userId}/status`
    expect(formatReply(await call(second, 'PATCH', path, { status: 'deactivate' }))).toBe(
      '409 BENEFICIARY',
    )
    const { id } = getRequestedChange(await call(admin, 'PATCH', path, { status: 'deactivate' }))
    expect(formatReply(await approveChange(gateway, second, id))).toBe('409 BENEFICIARY')
    expect((await approveChange(gateway, third, id)).status).toBe(200)
  })

  test('loses the second factor and the password only by two administrators', async () => {
    const { admin, call, gateway } = scene
    const target = await addAdmin()
    await gateway.db
      .updateTable('identity.user')
      .set({ mfa_enabled_at: new Date() })
      .where('id', '=', target.userId)
      .execute()
    const resetting = await call(admin, 'POST', `/users/${target.userId}/reset_mfa`, {
      proof: 'Seen in person with a passport',
    })
    expect(await readStatus(target)).not.toMatchObject({ mfa_enabled_at: null })
    await approveRequest(resetting)
    expect(await readStatus(target)).toMatchObject({ mfa_enabled_at: null })
    const reason = 'Seen on another computer'
    const forcing = await call(admin, 'POST', `/users/${target.userId}/force_reset`, { reason })
    expect(await readReason(forcing)).toBe(reason)
    expect(await readStatus(target)).toMatchObject({ is_reset_required: false })
    await approveRequest(forcing)
    expect(await readStatus(target)).toMatchObject({ is_reset_required: true })
  })

  test('is deleted by two administrators, while an investor is deleted by one', async () => {
    const { admin, call, gateway } = scene
    const target = await addAdmin()
    const reason = 'Left the company'
    const deleting = await call(admin, 'DELETE', `/users/${target.userId}`, { reason })
    expect(await readReason(deleting)).toBe(reason)
    expect(await readStatus(target)).toMatchObject({ deleted_at: null })
    await approveRequest(deleting)
    expect(await readStatus(target)).toMatchObject({ status: 'denied' })
    const investor = await addUser(gateway, { role: 'user', status: 'active' })
    expect((await call(admin, 'DELETE', `/users/${investor}`)).status).toBe(204)
    const other = await addUser(gateway, { role: 'user', status: 'active' })
    await expectOk(call(admin, 'PATCH', `/users/${other}/status`, { status: 'deactivate' }))
  })
})

test('an attestation of a day is not repeated while one waits', async () => {
  const { admin, second } = scene
  const fields = { asOf: '2026-02-01', assets: '10.00' }
  const upload = (visitor: Visitor) =>
    scene.upload(visitor, {
      method: 'POST',
      path: '/admin/attestations',
      field: 'document',
      fields,
    })
  const first = getRequestedChange(await upload(admin))
  expect(formatReply(await upload(second))).toBe('409 CHANGE_PENDING')
  await expectOk(scene.call(admin, 'POST', `/admin/approvals/${first.id}/withdraw`))
  expect(getId({ first }, 'first')).toBe(first.id)
})
