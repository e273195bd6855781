import type { AdminRole, GrantedRole, Permission, RoleChoice } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import {
  addUser,
  openVisit,
  PASSWORD,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { listHolders } from '../../platform/access/granted-roles.ts'
import { setRoles } from './set-roles.ts'

const DAY_MS = 86_400_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

beforeEach(async () => {
  await setDualControl(gateway, 'single')
  await gateway.db
    .updateTable('identity.user')
    .set({ status: 'deactivated' })
    .where('role', '=', 'admin')
    .execute()
})

async function addAdmin(...roles: readonly AdminRole[]): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active', roles }))
}

const createRoleChoices = (...roles: readonly AdminRole[]): readonly RoleChoice[] =>
  roles.map((role) => ({ role, endsAt: null }))
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`
const sendGet = (by: Visitor, path: string) => send(gateway, by, { method: 'GET', path })
const sendRoles = (by: Visitor, { userId }: Pick<Visitor, 'userId'>, roles: unknown) =>
  send(gateway, by, { method: 'PUT', path: `/users/${userId}/roles`, body: { roles } })

async function readRoles(userId: string): Promise<readonly GrantedRole[]> {
  const owner = await addAdmin('owner')
  const { body } = await sendGet(owner, `/users/${userId}`)
  return (body.data as unknown as { user: { roles: readonly GrantedRole[] } }).user.roles
}

describe('the roles of an administrator', () => {
  test('are in force at the next request, and the audit log has both lists', async () => {
    const [owner, other] = [await addAdmin('owner'), await addAdmin('finance')]
    expect((await sendGet(other, '/admin/reserve')).status).toBe(200)
    expect((await sendRoles(owner, other, createRoleChoices('support'))).status).toBe(200)
    expect(formatReply(await sendGet(other, '/admin/reserve'))).toBe(
      '403 PERMISSION_MISSING: Your roles do not include the permission reserve.read. An owner can change your roles.',
    )
    expect((await sendGet(other, '/admin/messages')).status).toBe(200)
    const { details } = await gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('action', '=', 'user.set-roles')
      .where('result', '=', 'success')
      .where('subject', '=', other.userId)
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ before: [{ role: 'finance' }], after: [{ role: 'support' }] })
  })

  test('sabotaged twin: without declared permissions, an administrator without a role reads the reserve', async () => {
    const sabotaged = await startTestGateway({
      isDocumentedOnly: false,
      alterRoute: (route) => ({
        ...route,
        endpoint: { ...route.endpoint, access: 'session', permission: null },
      }),
    })
    const userId = await addUser(sabotaged, { role: 'admin', status: 'active', roles: [] })
    const visitor = await openVisit(sabotaged, userId)
    const reply = await send(sabotaged, visitor, { method: 'GET', path: '/admin/reserve' })
    expect(reply.status).toBe(200)
    await sabotaged.stop()
  })

  test('are known to the caller, with the permissions', async () => {
    const auditor = await addAdmin('auditor')
    const { body } = await sendGet(auditor, '/users/me')
    const { user, permissions } = body.data as unknown as {
      user: { role: string; roles: readonly GrantedRole[] }
      permissions: readonly Permission[]
    }
    expect(user).toMatchObject({ role: 'admin', roles: [{ role: 'auditor', endsAt: null }] })
    expect(permissions).toContain('ledger.export')
    expect(permissions).not.toContain('transactions.decide')
    const email = `${auditor.userId}@example.com`
    const login = { method: 'POST', path: '/users/login', body: { email, password: PASSWORD } }
    const entered = await send(gateway, null, login)
    expect(entered.body.data).toMatchObject({ permissions, user: { roles: user.roles } })
  })

  test('of an auditor end at a time, after which the role grants nothing', async () => {
    const [owner, auditor] = [await addAdmin('owner'), await addAdmin('finance')]
    const endsAt = new Date(gateway.deps.clock.now() + 600_000).toISOString()
    expect((await sendRoles(owner, auditor, [{ role: 'auditor', endsAt }])).status).toBe(200)
    expect((await sendGet(auditor, '/admin/audit')).status).toBe(200)
    gateway.moveClock(601_000)
    expect(formatReply(await sendGet(auditor, '/admin/audit'))).toMatch(/^403 PERMISSION_MISSING/)
    const { body } = await sendGet(auditor, '/users/me')
    expect(body.data).toMatchObject({ permissions: [], user: { roles: [{ endsAt }] } })
  })

  test('keep the time of a role that stays, and a role that had ended is new', async () => {
    const [owner, other] = [await addAdmin('owner'), await addAdmin('finance')]
    const [first] = await readRoles(other.userId)
    gateway.moveClock(DAY_MS)
    const later = await openVisit(gateway, owner.userId)
    expect((await sendRoles(later, other, createRoleChoices('finance', 'support'))).status).toBe(
      200,
    )
    const [finance, support] = await readRoles(other.userId)
    expect(finance).toEqual(first)
    expect(Date.parse(support?.grantedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first?.grantedAt ?? '') + DAY_MS,
    )
    const nowMs = gateway.deps.clock.now()
    const endsAt = new Date(nowMs + 1_000).toISOString()
    await sendRoles(later, other, [{ role: 'auditor', endsAt }])
    gateway.moveClock(2_000)
    await sendRoles(later, other, createRoleChoices('auditor'))
    const [again] = await readRoles(other.userId)
    expect(Date.parse(again?.grantedAt ?? '')).toBeGreaterThanOrEqual(nowMs + 2_000)
  })
})

describe('a change of roles is refused', () => {
  test('for oneself, for an investor and for an unknown user', async () => {
    const [owner, investor] = [
      await addAdmin('owner'),
      await addUser(gateway, { role: 'user', status: 'active' }),
    ]
    expect(formatReply(await sendRoles(owner, owner, createRoleChoices('finance')))).toBe(
      '409 STATUS_CONFLICT: You cannot change your own roles',
    )
    expect(
      formatReply(await sendRoles(owner, { userId: investor }, createRoleChoices('support'))),
    ).toBe('422 NO_ADMINISTRATOR: Only an administrator can have roles')
    expect(
      (await sendRoles(owner, { userId: '0123456789abcdefghjk' }, createRoleChoices('owner')))
        .status,
    ).toBe(404)
  })

  test('if the list is empty, repeated or has an impossible end', async () => {
    const [owner, other] = [await addAdmin('owner'), await addAdmin('support')]
    const past = new Date(gateway.deps.clock.now() - 1).toISOString()
    const future = new Date(gateway.deps.clock.now() + DAY_MS).toISOString()
    for (const [roles, message] of [
      [[], 'Choose at least one role'],
      [createRoleChoices('support', 'support'), 'Choose each role at most once'],
      [[{ role: 'finance', endsAt: future }], 'Only the role auditor can have an end'],
      [[{ role: 'auditor', endsAt: past }], 'The end must be in the future'],
    ] as const) {
      expect(formatReply(await sendRoles(owner, other, roles))).toBe(`400 INVALID: ${message}`)
    }
    expect(await readRoles(other.userId)).toMatchObject([{ role: 'support' }])
  })

  test('for a caller who is no owner', async () => {
    const [finance, other] = [await addAdmin('finance'), await addAdmin('support')]
    expect(formatReply(await sendRoles(finance, other, createRoleChoices('owner')))).toMatch(
      /^403 PERMISSION_MISSING/,
    )
  })
})

describe('the last owner', () => {
  test('stays when two owners demote each other at once', async () => {
    const [one, other] = [await addAdmin('owner'), await addAdmin('owner')]
    const replies = await Promise.all([
      sendRoles(one, other, createRoleChoices('finance')),
      sendRoles(other, one, createRoleChoices('finance')),
    ])
    // Only one of the two requests succeeds. The failure code of the second request depends on the
    // order: its author may already have lost the role.
    expect(replies.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const nowMs = gateway.deps.clock.now()
    expect(await listHolders(gateway.db, { permission: 'roles.write', nowMs })).toHaveLength(1)
  })

  test('cannot lose the role, even if another owner executes the change', async () => {
    const [owner, other] = [await addAdmin('owner'), await addAdmin('support')]
    const demote = gateway.db.transaction().execute((trx) =>
      setRoles(trx, gateway.deps, {
        userId: owner.userId,
        adminId: other.userId,
        roles: createRoleChoices('finance'),
        nowMs: gateway.deps.clock.now(),
      }),
    )
    await expect(demote).rejects.toMatchObject({ code: 'STATUS_CONFLICT' })
    expect(await readRoles(owner.userId)).toMatchObject([{ role: 'owner' }])
  })

  test('sabotaged twin: without the check no administrator can give a role again', async () => {
    const [owner, other] = [await addAdmin('owner'), await addAdmin('support')]
    await gateway.db.deleteFrom('identity.admin_role').where('user_id', '=', owner.userId).execute()
    for (const [by, to] of [
      [owner, other],
      [other, owner],
    ] as const) {
      expect(formatReply(await sendRoles(by, to, createRoleChoices('owner')))).toMatch(
        /^403 PERMISSION_MISSING/,
      )
    }
  })

  test('is neither deactivated nor deleted by an owner who has just lost the role', async () => {
    const [one, other] = [await addAdmin('owner'), await addAdmin('owner')]
    const sendDeactivation = (by: Visitor, { userId }: Visitor) =>
      send(gateway, by, {
        method: 'PATCH',
        path: `/users/${userId}/status`,
        body: { status: 'deactivate' },
      })
    const stopDemotion = await blockRemovals()
    const demoting = sendRoles(one, other, createRoleChoices('finance'))
    const deactivating = sendDeactivation(other, one)
    const deleting = send(gateway, other, { method: 'DELETE', path: `/users/${one.userId}` })
    await stopDemotion()
    const [demoted, deactivated, deleted] = [await demoting, await deactivating, await deleting]
    // The order of the three requests is random, but at least one request must be refused.
    const refused = [deactivated, deleted, demoted].filter(({ body }) => body.code !== undefined)
    expect(refused.map(({ body }) => body.code)).toContain('STATUS_CONFLICT')
    const nowMs = gateway.deps.clock.now()
    expect(await listHolders(gateway.db, { permission: 'roles.write', nowMs })).toHaveLength(1)
  })
})

/**
 * Holds the lock of removals. The returned function waits until three requests wait for the lock,
 * and then releases it.
 */
async function blockRemovals(): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = gateway.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
    held.resolve()
    await promise
  })
  await held.promise
  return async () => {
    try {
      // At this point all three requests wait for the lock.
      await expect.poll(async () => countBlockedByAdvisoryLock()).toBe(3)
    } finally {
      resolve()
      await holding
    }
  }
}

async function countBlockedByAdvisoryLock(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory' and not granted
  `.execute(gateway.db)
  return rows[0]?.count ?? 0
}

describe('while two approvers are required', () => {
  test('the last but one approver keeps a role that approves', async () => {
    const [one, other] = [await addAdmin('owner'), await addAdmin('finance')]
    await makeApprovers(gateway, [one.userId, other.userId])
    await setDualControl(gateway, 'required')
    const owner = await openVisit(gateway, one.userId)
    expect(formatReply(await sendRoles(owner, other, createRoleChoices('support')))).toBe(
      '409 STATUS_CONFLICT: At least two approvers must stay active',
    )
    // The change waits for the approval of a second owner. While it waits, another change to the
    // roles of this administrator is refused.
    const asked = await sendRoles(owner, other, createRoleChoices('owner'))
    expect(getRequestedChange(asked)).toMatchObject({ kind: 'admin-roles', target: other.userId })
    expect(
      formatReply(await sendRoles(owner, other, createRoleChoices('finance', 'support'))),
    ).toMatch(/^409 CHANGE_PENDING/)
    expect(await readRoles(other.userId)).toMatchObject([{ role: 'finance' }])
  })
})

describe('the accounts of administrators', () => {
  test('are controlled by owners only', async () => {
    const [compliance, other] = [await addAdmin('compliance'), await addAdmin('support')]
    const id = other.userId
    const investor = await addUser(gateway, { role: 'user', status: 'active' })
    const acts = [
      ['PATCH', `/users/${id}/status`, { status: 'deactivate' }],
      ['DELETE', `/users/${id}`, undefined],
      ['GET', `/users/${id}/sessions`, undefined],
      ['DELETE', `/users/${id}/sessions/0123456789abcdefghjk`, undefined],
      ['POST', `/users/${id}/sessions/revoke`, {}],
      ['POST', `/users/${id}/force_reset`, {}],
      ['POST', `/users/${id}/reset_mfa`, { proof: 'Seen in person with a passport' }],
    ] as const
    for (const [method, path, body] of acts) {
      const reply = await send(gateway, compliance, { method, path, ...(body && { body }) })
      expect(`${method} ${path} ${formatReply(reply)}`).toMatch(
        /403 PERMISSION_MISSING: .*admins\.control/,
      )
    }
    const own = { method: 'PATCH', path: `/users/${investor}/status` }
    const reply = await send(gateway, compliance, { ...own, body: { status: 'deactivate' } })
    expect(reply.status).toBe(200)
  })
})

test('the matrix and the administrators are listed for every role', async () => {
  const [owner, auditor] = [await addAdmin('owner'), await addAdmin('auditor')]
  const { body } = await sendGet(auditor, '/admin/roles')
  const { permissions, administrators } = body.data as unknown as {
    permissions: readonly { name: string; roles: readonly string[] }[]
    administrators: readonly { id: string; roles: readonly GrantedRole[]; isLastOwner: boolean }[]
  }
  expect(permissions.find(({ name }) => name === 'ledger.export')?.roles).toEqual([
    'owner',
    'auditor',
  ])
  const listed = administrators.find(({ id }) => id === owner.userId)
  expect(listed).toMatchObject({ isLastOwner: true, roles: [{ role: 'owner', endsAt: null }] })
})
