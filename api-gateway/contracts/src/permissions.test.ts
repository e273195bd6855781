import { expect, test } from 'vitest'
import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { findActiveRoles, listPermissions, PERMISSION_NAMES, RoleChoices } from './permissions.ts'

const call = { method: 'GET', path: '/admin/x', response: z.null() } as const

test('an endpoint for administrators names its permission, by type', () => {
  expect(declareEndpoint({ ...call, permission: 'audit.read' })).toMatchObject({
    access: 'admin',
    permission: 'audit.read',
  })
  // @ts-expect-error An endpoint with a permission has the access `admin` without declaring it.
  declareEndpoint({ ...call, access: 'admin' })
  // @ts-expect-error An endpoint must declare an access or a permission.
  expect(() => declareCsvEndpoint({ path: '/admin/x.csv' })).not.toThrow()
  // @ts-expect-error The list of permissions is closed.
  declareEndpoint({ ...call, permission: 'audit.forge' })
})

test('an endpoint of all users may name the permission of administrators', () => {
  const shared = declareEndpoint({ ...call, access: 'session', permission: 'transactions.read' })
  expect(shared).toMatchObject({ access: 'session', permission: 'transactions.read' })
  expect(declareEndpoint({ ...call, access: 'session' }).permission).toBeNull()
})

test('an owner has every permission, and several roles add up', () => {
  expect(listPermissions([{ role: 'owner' }])).toEqual(PERMISSION_NAMES)
  const both = listPermissions([{ role: 'support' }, { role: 'auditor' }])
  expect(both).toEqual(expect.arrayContaining(['messages.answer', 'ledger.export']))
  expect(both).not.toContain('transactions.decide')
  expect(listPermissions([])).toEqual([])
})

test('a role grants nothing after its end', () => {
  const endsAt = '2026-11-24T12:00:00.000Z'
  const granted = [{ role: 'auditor' as const, grantedAt: '2026-11-01T00:00:00.000Z', endsAt }]
  expect(findActiveRoles(granted, Date.parse(endsAt) - 1)).toEqual(granted)
  expect(findActiveRoles(granted, Date.parse(endsAt))).toEqual([])
})

test('a list of roles has known roles, each once, and only the auditor role can end', () => {
  const at = '2099-01-01T00:00:00.000Z'
  expect(RoleChoices.parse([{ role: 'auditor', endsAt: at }, { role: 'support' }])).toEqual([
    { role: 'auditor', endsAt: at },
    { role: 'support', endsAt: null },
  ])
  for (const wrong of [
    [],
    [{ role: 'admin' }],
    [{ role: 'owner', endsAt: at }],
    [{ role: 'owner' }, { role: 'owner' }],
  ]) {
    expect(RoleChoices.safeParse(wrong).success).toBe(false)
  }
})
