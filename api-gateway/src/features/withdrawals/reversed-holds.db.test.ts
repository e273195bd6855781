import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'

const PAID = { status: 200, body: { data: { transaction: { status: 'success' } } } }
const REQUESTED = { status: 409, body: { code: 'CHANGE_REQUESTED' } }

let scene: Scene
let bankId: string
beforeAll(async () => {
  scene = await startScene()
  const { investor, admin, second, gateway } = scene
  bankId = await addUsableBankAccount(scene, investor, { accountNumber: '1234' })
  await makeApprovers(gateway, [admin.userId, second.userId])
})
afterAll(() => scene?.gateway.stop())

async function requestWithdrawal(): Promise<string> {
  const { call, investor } = scene
  const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId }
  return getId(
    await expectOk(call(investor, 'POST', '/users/me/transactions', form)),
    'transaction',
  )
}

/** Records that a credential of the investor has changed, as a change of the password does. */
async function recordCredentialChange(): Promise<void> {
  const { deps, db } = scene.gateway
  await db
    .insertInto('identity.hold_request')
    .values({
      id: createId(deps.clock.now()),
      user_id: scene.investor.userId,
      created_at: new Date(deps.clock.now()),
    })
    .execute()
}

const decline = (id: string) =>
  expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/decline`))
const reverse = (id: string) =>
  scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`, {
    reverse: true,
    reason: 'The bank has paid it',
  })

describe('a declined withdrawal is paid by a reversal only with two administrators', () => {
  test('if it was on hold', async () => {
    const id = await requestWithdrawal()
    const held = await scene.gateway.ledger.unrecorded.submit({
      type: 'HoldWithdrawal',
      data: { transactionId: id, reason: 'The password was changed while it was pending' },
      actor: 'system:credential-hold',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
    expect(held.outcome).toBe('recorded')
    await decline(id)
    const change = getRequestedChange(await reverse(id))
    const { lines } = await readChange(scene.gateway, scene.second, change.id)
    expect(lines.find(({ label }) => label === 'Paid to')?.after).toContain('1234')
    await expectOk(approveChange(scene.gateway, scene.second, change.id))
    expect(await scene.call(scene.admin, 'GET', `/transactions/${id}`)).toMatchObject(PAID)
  })

  test('if a credential of its owner has changed since the request', async () => {
    const id = await requestWithdrawal()
    await decline(id)
    await recordCredentialChange()
    expect(await reverse(id)).toMatchObject(REQUESTED)
  })

  test('if its bank account has changed since the request', async () => {
    const id = await requestWithdrawal()
    await decline(id)
    const setNumber = (account_number: string) =>
      scene.gateway.db
        .updateTable('platform.bank_account')
        .set({ account_number })
        .where('id', '=', bankId)
        .execute()
    await setNumber('6666')
    expect(await reverse(id)).toMatchObject(REQUESTED)
    await setNumber('1234')
  })

  test('sabotaged twin: without any of these, one administrator pays it', async () => {
    const id = await requestWithdrawal()
    await decline(id)
    expect(await reverse(id)).toMatchObject(PAID)
  })
})
