import {
  ADMIN_ROLES,
  type AdminRole,
  addSiteLedger,
  approveTransaction,
  type ChangeKind,
  changeUserStatus,
  createAttestation,
  createPaymentOption,
  createPlan,
  declineTransaction,
  deletePaymentOption,
  deleteUser,
  denyInvestment,
  type Endpoint,
  editPaymentOption,
  editPlan,
  editSiteLedger,
  forcePasswordReset,
  fundReserve,
  fundUserWallet,
  inviteAdmin,
  isGranted,
  permitImport,
  permitKeyRotation,
  proposeAdjustment,
  resetMailTemplate,
  resetUserMfa,
  saveAdminSettings,
  saveMailTemplate,
  sendAnnouncement,
  setUserRoles,
  stateClaim,
  sweepToReserve,
  withdrawReserve,
} from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../testing/change-requests.ts'
import { makeApprovers } from '../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../testing/test-gateway.ts'
import { createChangeRegistry } from './change-kinds.ts'

/** The calls that propose each kind of change. */
const PROPOSED_BY: Readonly<Record<ChangeKind, readonly Endpoint[]>> = {
  settings: [saveAdminSettings],
  'payment-option': [createPaymentOption, editPaymentOption, deletePaymentOption],
  'mail-template': [saveMailTemplate, resetMailTemplate],
  announcement: [sendAnnouncement],
  'admin-invitation': [inviteAdmin],
  'admin-status': [changeUserStatus],
  'admin-roles': [setUserRoles],
  'admin-deletion': [deleteUser],
  'admin-mfa-reset': [resetUserMfa],
  'admin-password-reset': [forcePasswordReset],
  claim: [stateClaim],
  attestation: [createAttestation],
  plan: [createPlan, editPlan],
  'deposit-approval': [approveTransaction],
  'withdrawal-approval': [approveTransaction],
  'deposit-reversal': [approveTransaction, declineTransaction],
  'withdrawal-reversal': [approveTransaction, declineTransaction],
  'wallet-funding': [fundUserWallet],
  'wallet-adjustment': [proposeAdjustment],
  'reserve-funding': [fundReserve],
  'reserve-withdrawal': [withdrawReserve],
  'reserve-sweep': [sweepToReserve],
  'investment-denial': [denyInvestment],
  'signing-key-rotation': [permitKeyRotation],
  'balance-import': [permitImport],
  ledger: [addSiteLedger, editSiteLedger],
}
/**
 * The calls that work on any user, each with a valid body. If the user is an administrator, they
 * also require the permission to control administrators.
 */
const ON_ANY_USER: ReadonlyMap<Endpoint, object> = new Map<Endpoint, object>([
  [changeUserStatus, { status: 'deactivate' }],
  [deleteUser, {}],
  [resetUserMfa, { proof: 'A video call' }],
  [forcePasswordReset, {}],
])

let scene: Scene
let finance: Visitor
let secondFinance: Visitor
let compliance: Visitor
beforeAll(async () => {
  scene = await startScene()
  finance = await addAdmin('finance')
  secondFinance = await addAdmin('finance')
  compliance = await addAdmin('compliance')
  // Finance may decide on transactions, so the ledger must know these administrators too.
  await makeApprovers(scene.gateway, [finance.userId, secondFinance.userId])
})
afterAll(() => scene?.gateway.stop())

async function addAdmin(role: AdminRole): Promise<Visitor> {
  const { gateway } = scene
  const userId = await addUser(gateway, { role: 'admin', status: 'active', roles: [role] })
  return openVisit(gateway, userId)
}

describe('the permission to propose a change', () => {
  test('is the permission of each call that proposes it', () => {
    const registry = createChangeRegistry(scene.gateway.deps)
    for (const [kind, endpoints] of Object.entries(PROPOSED_BY)) {
      // The cast is safe because the keys of `PROPOSED_BY` are kinds of change.
      const { propose } = registry[kind as ChangeKind].permission
      for (const endpoint of endpoints) {
        const required = ON_ANY_USER.has(endpoint) ? 'admins.control' : endpoint.permission
        expect([kind, propose]).toEqual([kind, required])
      }
    }
  })

  test('is required of administrators who call a route for any user about an administrator', async () => {
    const target = await addUser(scene.gateway, { role: 'admin', status: 'active' })
    for (const [{ method, path, permission }, body] of ON_ANY_USER) {
      // Compliance has the permission of the call, so only the target decides.
      expect(permission !== null && isGranted('compliance', permission)).toBe(true)
      const of = path.replace(':id', target)
      const { status, body: answer } = await scene.call(compliance, method, of, body)
      expect([path, status, answer.code]).toEqual([path, 403, 'PERMISSION_MISSING'])
    }
  })
})

describe('an attestation', () => {
  const propose = (maker: Visitor, asOf: string) =>
    scene.upload(maker, {
      method: 'POST',
      path: '/admin/attestations',
      field: 'document',
      fields: { asOf, assets: '10.00', note: 'Two accounts' },
    })

  test('is entered and confirmed by the role that the table of permissions names', async () => {
    const roles = ADMIN_ROLES.filter((role) => isGranted(role, 'attestations.write'))
    expect(roles).toEqual(['owner', 'finance'])
    const { id } = getRequestedChange(await propose(finance, '2026-02-01'))
    expect(await approveChange(scene.gateway, compliance, id)).toMatchObject({
      status: 403,
      body: { code: 'NOT_AN_APPROVER' },
    })
    await expectOk(approveChange(scene.gateway, secondFinance, id))
    const { attestations } = await expectOk<{ attestations: object[] }>(
      scene.call(finance, 'GET', '/admin/attestations'),
    )
    expect(attestations).toMatchObject([
      {
        asOf: '2026-02-01',
        madeBy: { id: finance.userId },
        confirmedBy: { id: secondFinance.userId },
      },
    ])
  })

  test('can be proposed by no other role', async () => {
    expect((await propose(compliance, '2026-02-02')).status).toBe(403)
  })
})
