import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { runDuring } from '../../../testing/run-during.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { archiveBankAccount } from './bank-account.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const removeAccount = (id: string) => scene.call(scene.investor, 'DELETE', `/users/me/banks/${id}`)

async function withdrawTo(bankId: string): Promise<string> {
  const form = { type: 'withdrawal', amount: '25.00', pay_option: 'balance', bank_id: bankId }
  const path = '/users/me/transactions'
  return getId(await expectOk(scene.call(scene.investor, 'POST', path, form)), 'transaction')
}

const approve = (id: string) => {
  const path = `/transactions/${id}/action/approve`
  return scene.call(scene.admin, 'PATCH', path, { payoutReference: 'P-1' })
}

/** Removes an account as if a withdrawal to it had been recorded after the check. */
async function archive(id: string): Promise<void> {
  const { db, deps } = scene.gateway
  const account = { userId: scene.investor.userId, id, nowMs: deps.clock.now() }
  await db.transaction().execute((trx) => archiveBankAccount(trx, account))
}

test('an account to which a withdrawal is requested during its removal is kept', async () => {
  const bankId = await addUsableBankAccount(scene, scene.investor)
  let withdrawalId = ''
  // Another change to the accounts of the user, for which the removal waits.
  const key = `bank ${scene.investor.userId}`
  const changeAnother = async (trx: DatabaseTransaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
  }
  const withdraw = async () => {
    withdrawalId = await withdrawTo(bankId)
  }
  const removal = () => removeAccount(bankId)
  const reply = await runDuring(scene.gateway, changeAnother, removal, { finish: withdraw })
  expect(reply).toMatchObject({ status: 409, body: { code: 'BANK_ACCOUNT_IN_USE' } })
  expect((await approve(withdrawalId)).status).toBe(200)
  expect((await removeAccount(bankId)).status).toBe(204)
})

test('a withdrawal to an account that was removed nevertheless is not paid', async () => {
  const bankId = await addUsableBankAccount(scene, scene.investor)
  const withdrawalId = await withdrawTo(bankId)
  await archive(bankId)
  const read = scene.call(scene.admin, 'GET', `/transactions/${withdrawalId}`)
  expect(await expectOk(read)).toMatchObject({
    flags: expect.arrayContaining(['bank-account-changed']),
  })
  expect(await approve(withdrawalId)).toMatchObject({
    status: 409,
    body: { code: 'BANK_ACCOUNT_CHANGED' },
  })
  // Sabotaged twin: if the account does not count as removed, the withdrawal is paid to it.
  const account = scene.gateway.db.updateTable('platform.bank_account').where('id', '=', bankId)
  await account.set({ archived_at: null }).execute()
  expect((await approve(withdrawalId)).status).toBe(200)
})
