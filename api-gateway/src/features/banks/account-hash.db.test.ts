import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const DETAILS = {
  bankName: 'B',
  accountNumber: '1',
  accountName: 'A',
  accountType: 'Others',
} as const

async function addAccount(visitor: Visitor): Promise<{ id: string; sha256: string }> {
  const { account } = await expectOk<{ account: { id: string; sha256: string } }>(
    scene.call(visitor, 'POST', '/users/me/banks', DETAILS),
  )
  return account
}

test('the hash of an account does not reveal its details, and changes if they change', async () => {
  const { investor, stranger, gateway } = scene
  const [one, other] = [await addAccount(investor), await addAccount(stranger)]
  const guess = createHash('sha256')
    .update(JSON.stringify(Object.values(DETAILS)))
    .digest('hex')
  expect(new Set([one.sha256, other.sha256, guess]).size).toBe(3)
  await gateway.db
    .updateTable('platform.bank_account')
    .set({ account_number: '2' })
    .where('id', '=', one.id)
    .execute()
  const { accounts } = await expectOk<{ accounts: { id: string; sha256: string }[] }>(
    scene.call(investor, 'GET', '/users/me/banks'),
  )
  expect(accounts.find(({ id }) => id === one.id)?.sha256).not.toBe(one.sha256)
})
