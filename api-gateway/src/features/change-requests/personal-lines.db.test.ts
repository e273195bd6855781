import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

const HOUR_MS = 3_600_000
const ACCOUNT = { accountNumber: '4711008150', accountName: 'Aurelia Quince' }
const INVITED = { name: 'Barnaby Rook', email: 'barnaby.rook@example.test' }

let scene: Scene
let bankId: string
beforeAll(async () => {
  scene = await startScene()
  bankId = await addUsableBankAccount(scene, scene.investor, ACCOUNT)
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  await setThreshold(scene.gateway, 10_000n)
  await scene.gateway.moveAllClocks(26 * HOUR_MS)
})
afterAll(() => scene?.gateway.stop())

/** Approves the request. Returns what the checker saw, and what the audit log records for ever. */
async function carryOut(id: string): Promise<{ seen: string; changes: Record<string, unknown> }> {
  const { gateway, second } = scene
  const seen = JSON.stringify((await readChange(gateway, second, id)).lines)
  await expectOk(approveChange(gateway, second, id))
  const { details } = await gateway.db
    .selectFrom('platform.audit')
    .select('details')
    .where('action', '=', 'change.execute')
    .where('request_id', '=', `change:${id}`)
    .executeTakeFirstOrThrow()
  const { changes } = details as { changes: Record<string, unknown> }
  return { seen, changes }
}

async function readPerson({ userId }: Visitor): Promise<{ name: string; email: string }> {
  return await scene.gateway.db
    .selectFrom('identity.user')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

test('the checker of a withdrawal sees person and account; the audit log records neither', async () => {
  const { gateway, investor, admin, second, call } = scene
  await gateway.ledger.unrecorded.submit({
    type: 'FundWallet',
    data: {
      transactionId: createId(Date.now()),
      investorId: investor.userId,
      wallet: 'balance',
      amountMinor: 100_000n,
      category: null,
      reason: null,
    },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  const form = { type: 'withdrawal', amount: 200, pay_option: 'balance', bank_id: bankId }
  const path = '/users/me/transactions'
  const transactionId = getId(await expectOk(call(investor, 'POST', path, form)), 'transaction')
  await expectOk(call(admin, 'PATCH', `/transactions/${transactionId}/action/approve`))
  type Listed = { changeRequests: { id: string }[] }
  const { changeRequests } = await expectOk<Listed>(
    call(second, 'GET', `/admin/approvals?target=${transactionId}`),
  )
  const { seen, changes } = await carryOut(changeRequests[0]?.id ?? '')
  const { name, email } = await readPerson(investor)
  for (const value of [name, email, ...Object.values(ACCOUNT)]) expect(seen).toContain(value)
  // The account that pays is one of the operator.
  expect(Object.keys(changes).toSorted()).toEqual(['Amount', 'Paid from', 'Status'])
})

test('the audit log records no user for the funding of a wallet', async () => {
  const { admin, investor, call } = scene
  const reason = 'a reason of enough length'
  const body = { wallet_type: 'balance', amount: 500, category: 'gift', reason }
  const asked = await call(admin, 'PATCH', `/users/${investor.userId}/wallets`, body)
  const { seen, changes } = await carryOut(getRequestedChange(asked).id)
  expect(seen).toContain((await readPerson(investor)).email)
  expect(Object.keys(changes).toSorted()).toEqual(['Account', 'Amount', 'Reason', 'Wallet'])
})

test('the audit log records only the roles of an invited administrator', async () => {
  const { admin, call } = scene
  const asked = await call(admin, 'POST', '/users/invite', INVITED)
  const { seen, changes } = await carryOut(getRequestedChange(asked).id)
  for (const value of Object.values(INVITED)) expect(seen).toContain(value)
  expect(Object.keys(changes)).toEqual(['Roles'])
})
