import type { AdminSettings, ChangeDetail } from '@cairn/gateway-contracts'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { addApprover, makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'
import { createChangeRegistry } from '../../change-kinds.ts'
import { finishChanges } from './execute.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
})
afterAll(() => scene?.gateway.stop())
beforeEach(async () => {
  await runAsSuperuser('update identity.user set status = $$active$$ where role = $$admin$$')
  await runAsSuperuser('delete from platform.change_approval')
  await runAsSuperuser('delete from platform.change_request')
  await runAsSuperuser('delete from platform.setting')
})

/** Runs a statement as the superuser, because the gateway has no permission for it. */
async function runAsSuperuser(text: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: scene.gateway.databaseUrl })
  await client.connect()
  try {
    // Disables the triggers, which prevent changes to a stored request.
    await client.query('set session_replication_role = replica')
    await client.query(text, [...values])
  } finally {
    await client.end()
  }
}

async function readSettings(): Promise<AdminSettings> {
  scene.gateway.deps.settings.forget()
  const { settings } = await expectOk<{ settings: AdminSettings }>(
    scene.call(scene.admin, 'GET', '/admin/settings'),
  )
  return settings
}

/** Saves a new number of login attempts. An increase of this number weakens a control. */
async function saveSettings(visitor: Visitor, loginAttempts: number, stepUpMinutes?: number) {
  const { version: _version, ...settings } = await readSettings()
  const security = { ...settings.security, loginAttempts }
  if (stepUpMinutes !== undefined) security.stepUpMinutes = stepUpMinutes
  return scene.call(visitor, 'POST', '/admin/settings', { ...settings, security })
}

const readDetail = (id: string, visitor = scene.second) => readChange(scene.gateway, visitor, id)

async function approve(visitor: Visitor, id: string, hash?: string): Promise<Reply> {
  const payloadSha256 = hash ?? (await readDetail(id)).payloadSha256
  return scene.call(visitor, 'POST', `/admin/approvals/${id}/approve`, { payloadSha256 })
}
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}`

async function proposeWeakening(): Promise<string> {
  await expectOk(saveSettings(scene.admin, 3))
  return getRequestedChange(await saveSettings(scene.admin, 4)).id
}
const readLoginAttempts = async () => (await readSettings()).security.loginAttempts

test('a form that weakens a control waits as a whole, and the checker approves its exact content', async () => {
  const { admin, second, gateway } = scene
  await expectOk(saveSettings(admin, 3))
  const reply = await saveSettings(admin, 4, 10)
  const { id } = getRequestedChange(reply)
  expect(reply.body.errors).toEqual({ loginAttempts: expect.stringContaining('Waiting') })
  // The form also contains a change that strengthens a control. The stronger control waits for
  // approval too, because the fields of a form are approved together.
  const { security } = await readSettings()
  expect([security.loginAttempts, security.stepUpMinutes]).toEqual([3, 15])
  const detail = await readDetail(id)
  expect(detail).toMatchObject({
    state: 'pending',
    canDecide: true,
    canWithdraw: false,
    isOutdated: false,
    createdBy: { id: admin.userId },
    lines: [
      { label: 'Login attempts', before: '3', after: '4' },
      { label: 'Step-up interval for investors (minutes)', before: '15', after: '10' },
    ],
  })
  expect(await readDetail(id, admin)).toMatchObject({ canDecide: false, canWithdraw: true })
  const done = await expectOk<{ changeRequest: ChangeDetail }>(approve(second, id))
  expect(done.changeRequest).toMatchObject({
    state: 'executed',
    decidedBy: { id: second.userId },
    approvals: [{ approver: { id: second.userId } }],
  })
  const after = await readSettings()
  expect([after.security.loginAttempts, after.security.stepUpMinutes]).toEqual([4, 10])
  // A repetition of the approval gets the answer of the first approval again.
  expect((await approve(second, id)).status).toBe(200)
  const audited = await gateway.db
    .selectFrom('platform.audit')
    .select(['action', 'actor_id'])
    .where('action', 'like', 'change.%')
    .where('subject', '=', 'settings')
    .orderBy('action')
    .execute()
  expect(audited).toEqual([
    { action: 'change.approve', actor_id: second.userId },
    { action: 'change.execute', actor_id: second.userId },
    { action: 'change.propose', actor_id: admin.userId },
  ])
})

test('the other administrators are notified of the request once, and the maker of the result', async () => {
  const { admin, second, gateway } = scene
  const id = await proposeWeakening()
  const mails = await gateway.db
    .selectFrom('identity.outbox')
    .select('user_id')
    .where('kind', '=', 'change-requested')
    .execute()
  expect(mails.filter(({ user_id }) => user_id === admin.userId)).toEqual([])
  const listNotifications = async (visitor: Visitor) =>
    (
      await gateway.db
        .selectFrom('platform.notification')
        .select('source')
        .where('user_id', '=', visitor.userId)
        .where('source', 'like', `change/${id}/%`)
        .execute()
    ).map(({ source }) => source)
  expect(await listNotifications(second)).toEqual([`change/${id}/pending`])
  await expectOk(approve(second, id))
  expect(await listNotifications(admin)).toEqual([`change/${id}/executed`])
  const count = scene.call(second, 'GET', '/admin/approvals/count')
  expect(await expectOk(count)).toEqual({ open: 0, forMe: 0 })
})

describe('an approval is refused', () => {
  test('to the maker', async () => {
    const id = await proposeWeakening()
    expect(formatReply(await approve(scene.admin, id))).toBe('409 SECOND_APPROVER_NEEDED')
    expect(await readLoginAttempts()).toBe(3)
  })

  test('to an administrator added less than a day ago, and accepted a day later', async () => {
    const { gateway } = scene
    const newId = await addUser(gateway, { role: 'admin', status: 'active' })
    const young = await openVisit(gateway, newId)
    await addApprover(gateway, newId)
    await gateway.moveAllClocks(DAY_MS - HOUR_MS)
    const id = await proposeWeakening()
    const reply = await approve(young, id)
    expect(formatReply(reply)).toBe('409 APPROVER_TOO_NEW')
    await gateway.moveAllClocks(HOUR_MS)
    expect((await approve(young, id)).status).toBe(200)
    expect(await readLoginAttempts()).toBe(4)
  })

  test('with the hash of other content', async () => {
    const id = await proposeWeakening()
    expect(formatReply(await approve(scene.second, id, 'f'.repeat(64)))).toBe('409 CHANGE_DIFFERS')
    expect(await readLoginAttempts()).toBe(3)
  })

  test('after the request has expired', async () => {
    const id = await proposeWeakening()
    await runAsSuperuser(
      "update platform.change_request set created_at = now() - interval '8 days', expires_at = now() - interval '1 day'",
    )
    expect(formatReply(await approve(scene.second, id))).toBe('409 CHANGE_EXPIRED')
    expect(await readDetail(id)).toMatchObject({ state: 'expired' })
    expect(await readLoginAttempts()).toBe(3)
  })
})

describe('the content of a request', () => {
  test('cannot be changed by the gateway', async () => {
    const id = await proposeWeakening()
    const changing = scene.gateway.db
      .updateTable('platform.change_request')
      .set({ payload: '{"values":{"security.loginAttempts":10}}' })
      .where('id', '=', id)
      .execute()
    await expect(changing).rejects.toThrow('permission denied')
  })

  test('sabotaged twin: without the hash of the approval, changed content is carried out', async () => {
    const id = await proposeWeakening()
    const payload = '{"values":{"security.loginAttempts":10}}'
    const change =
      "update platform.change_request set payload = $1, payload_sha256 = encode(sha256(convert_to($1, 'UTF8')), 'hex')"
    const { payloadSha256 } = await readDetail(id)
    await runAsSuperuser(change, [payload])
    // The stored content has changed, but the administrator approves with the hash of the content
    // before the change.
    expect(formatReply(await approve(scene.second, id, payloadSha256))).toBe('409 CHANGE_DIFFERS')
    expect(await readLoginAttempts()).toBe(3)
    expect((await approve(scene.second, id)).status).toBe(200)
    expect(await readLoginAttempts()).toBe(10)
  })
})

test('a second request for the same object is refused until the first request is decided', async () => {
  const { admin, second } = scene
  const id = await proposeWeakening()
  expect(formatReply(await saveSettings(second, 5))).toBe('409 CHANGE_PENDING')
  expect(formatReply(await saveSettings(admin, 5))).toBe('409 CHANGE_PENDING')
  // A second request with equal content returns the first change request.
  expect(getRequestedChange(await saveSettings(admin, 4)).id).toBe(id)
  await expectOk(scene.call(admin, 'POST', `/admin/approvals/${id}/withdraw`))
  expect(getRequestedChange(await saveSettings(second, 5)).id).not.toBe(id)
})

test('sabotaged twin: without the index, two requests for the same object are open', async () => {
  await runAsSuperuser('drop index platform.change_request_open')
  const { second } = scene
  await proposeWeakening()
  const insert = () =>
    runAsSuperuser(
      `insert into platform.change_request select $1, kind, target, title, payload, payload_sha256, before,
       reason, created_by, created_at, expires_at, state from platform.change_request limit 1`,
      [`copy${Date.now()}`.padEnd(20, '0')],
    )
  await insert()
  const open = await scene.call(second, 'GET', '/admin/approvals/count')
  expect(open.body.data).toMatchObject({ open: 2 })
  await runAsSuperuser('delete from platform.change_request')
  await runAsSuperuser(`create unique index change_request_open on platform.change_request (kind, target)
    where state in ('pending', 'approved')`)
  await proposeWeakening()
  await expect(insert()).rejects.toThrow('change_request_open')
})

describe('a request fails, finally, if', () => {
  const expectFailure = async (id: string, sentence: string) => {
    const reply = await approve(scene.second, id)
    expect(formatReply(reply)).toBe('409 CHANGE_FAILED')
    expect(reply.body.message).toContain(sentence)
    expect(await readDetail(id)).toMatchObject({ state: 'failed', canDecide: false })
    expect(formatReply(await approve(scene.second, id))).toBe('409 CHANGE_FAILED')
  }

  test('the value that it replaces has changed since', async () => {
    const id = await proposeWeakening()
    await expectOk(saveSettings(scene.second, 2))
    expect(await readDetail(id)).toMatchObject({ isOutdated: true })
    await expectFailure(id, 'has changed')
    expect(await readLoginAttempts()).toBe(2)
  })

  test('its maker is no longer an active administrator', async () => {
    const id = await proposeWeakening()
    await runAsSuperuser("update identity.user set status = 'deactivated' where id = $1", [
      scene.admin.userId,
    ])
    const reply = await approve(scene.second, id)
    await runAsSuperuser("update identity.user set status = 'active' where role = 'admin'")
    expect(formatReply(reply)).toBe('409 CHANGE_FAILED')
    expect(await readLoginAttempts()).toBe(3)
  })
})

describe('between approval and execution', () => {
  const runFinishJob = () => {
    const { deps } = scene.gateway
    const registry = createChangeRegistry(deps)
    const log = pino({ level: 'silent' })
    return finishChanges({ ...deps, registry }, { nowMs: deps.clock.now(), log })
  }
  /** Stores an approval but does not carry out the change, as after a crash of the process. */
  async function approveWithoutExecution(id: string, by = scene.second.userId): Promise<void> {
    const { payloadSha256 } = await readDetail(id)
    await runAsSuperuser(
      "update platform.change_request set state = 'approved', decided_by = $1, decided_at = now() where id = $2",
      [by, id],
    )
    await runAsSuperuser('insert into platform.change_approval values ($1, $2, now(), $3)', [
      id,
      by,
      payloadSha256,
    ])
  }

  test('the job carries out once what a stopped process has left', async () => {
    const id = await proposeWeakening()
    await approveWithoutExecution(id)
    expect(await readLoginAttempts()).toBe(3)
    const { version } = await readSettings()
    const found = await Promise.all([runFinishJob(), runFinishJob()])
    expect(Math.max(...found)).toBe(1)
    expect(await readDetail(id)).toMatchObject({ state: 'executed' })
    const after = await readSettings()
    expect(after.security.loginAttempts).toBe(4)
    expect(after.version).toBe(version + 1)
  })

  test('the approval of a deactivated administrator becomes invalid', async () => {
    const id = await proposeWeakening()
    const third = await addUser(scene.gateway, { role: 'admin', status: 'active' })
    await makeApprovers(scene.gateway, [third])
    await approveWithoutExecution(id, third)
    await runAsSuperuser("update identity.user set status = 'deactivated' where id = $1", [third])
    await runFinishJob()
    expect(await readDetail(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('no longer approve'),
    })
    expect(await readLoginAttempts()).toBe(3)
  })

  test('an unavailable part is tried again, and overdue requests expire', async () => {
    const id = await proposeWeakening()
    await approveWithoutExecution(id)
    const { deps } = scene.gateway
    const broken = createChangeRegistry(deps)
    const failing = {
      ...broken,
      settings: {
        ...broken.settings,
        execute: async () => {
          throw new Error('the database is not available')
        },
      },
    }
    const log = pino({ level: 'silent' })
    await finishChanges({ ...deps, registry: failing }, { nowMs: deps.clock.now(), log })
    expect(await readDetail(id)).toMatchObject({ state: 'approved' })
    await runFinishJob()
    expect(await readDetail(id)).toMatchObject({ state: 'executed' })
    const other = getRequestedChange(await saveSettings(scene.admin, 9)).id
    await runAsSuperuser(
      "update platform.change_request set created_at = now() - interval '8 days', expires_at = now() - interval '1 day' where id = $1",
      [other],
    )
    await runFinishJob()
    expect(await readDetail(other)).toMatchObject({ state: 'expired' })
  })
})

test('if two administrators decide at once, only one decision is recorded', async () => {
  const thirdId = await addUser(scene.gateway, { role: 'admin', status: 'active' })
  await makeApprovers(scene.gateway, [thirdId])
  const third = await openVisit(scene.gateway, thirdId)
  const id = await proposeWeakening()
  const { payloadSha256 } = await readDetail(id)
  const { version } = await readSettings()
  const replies = await Promise.all([
    approve(scene.second, id, payloadSha256),
    approve(third, id, payloadSha256),
  ])
  expect(replies.map(formatReply).toSorted()).toEqual(['200 undefined', '409 CHANGE_DECIDED'])
  expect((await readSettings()).version).toBe(version + 1)
})

test('a rejection has a reason, and only the maker withdraws', async () => {
  const { admin, second } = scene
  const id = await proposeWeakening()
  const sendDecision = (visitor: Visitor, verb: string, body?: object) =>
    scene.call(visitor, 'POST', `/admin/approvals/${id}/${verb}`, body)
  expect(formatReply(await sendDecision(second, 'reject', {}))).toBe('400 INVALID')
  expect(formatReply(await sendDecision(admin, 'reject', { reason: 'no' }))).toBe(
    '409 SECOND_APPROVER_NEEDED',
  )
  expect(formatReply(await sendDecision(second, 'withdraw'))).toBe('409 NOT_YOUR_CHANGE')
  await expectOk(sendDecision(second, 'reject', { reason: 'The limit is right' }))
  expect(await readDetail(id)).toMatchObject({ state: 'rejected', failure: 'The limit is right' })
  expect(formatReply(await sendDecision(admin, 'withdraw'))).toBe('409 CHANGE_DECIDED')
  expect((await scene.call(second, 'GET', `/admin/approvals/${scene.planId}`)).status).toBe(404)
})

test('the list is filtered and paged, and is exported', async () => {
  const { admin, second } = scene
  const first = await proposeWeakening()
  await expectOk(scene.call(admin, 'POST', `/admin/approvals/${first}/withdraw`))
  const other = getRequestedChange(await saveSettings(admin, 4)).id
  type Listed = { changeRequests: { id: string }[]; meta: { next: string | null } }
  const listChanges = (query: string) =>
    expectOk<Listed>(scene.call(second, 'GET', `/admin/approvals?${query}`))
  const page = await listChanges('kind=settings&limit=1')
  expect(page.changeRequests.map(({ id }) => id)).toEqual([other])
  const next = await listChanges(`kind=settings&limit=1&after=${page.meta.next}`)
  expect(next.changeRequests.map(({ id }) => id)).toEqual([first])
  expect((await listChanges('state=withdrawn&target=settings')).changeRequests).toHaveLength(1)
  expect((await scene.call(second, 'GET', '/admin/approvals.csv')).status).toBe(200)
})

test('sabotaged twin: with single control the same save is stored at once', async () => {
  await setDualControl(scene.gateway, 'single')
  await expectOk(saveSettings(scene.admin, 3))
  await expectOk(saveSettings(scene.admin, 9))
  expect(await readLoginAttempts()).toBe(9)
  await setDualControl(scene.gateway, 'required')
})
