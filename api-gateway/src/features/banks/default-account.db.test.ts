import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { readMails } from '../../../testing/test-browser.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function addAccount(visitor: Visitor, accountNumber: string): Promise<string> {
  const account = { accountType: 'Others', accountName: 'A', bankName: 'B', accountNumber }
  return getId(await expectOk(scene.call(visitor, 'POST', '/users/me/banks', account)), 'account')
}

async function listDefaults(visitor: Visitor): Promise<readonly string[]> {
  const { accounts } = await expectOk<{ accounts: { id: string; isDefault: boolean }[] }>(
    scene.call(visitor, 'GET', '/users/me/banks'),
  )
  return accounts.filter(({ isDefault }) => isDefault).map(({ id }) => id)
}

const makeDefaultAccount = (visitor: Visitor, id: string) =>
  scene.call(visitor, 'POST', `/users/me/banks/${id}/default`)

test('the first account is the default until the user chooses another default', async () => {
  const { investor } = scene
  const [first, second] = [await addAccount(investor, '1'), await addAccount(investor, '2')]
  expect(await listDefaults(investor)).toEqual([first])
  const { account } = await expectOk<{ account: object }>(makeDefaultAccount(investor, second))
  expect(account).toMatchObject({ id: second, isDefault: true })
  expect(await listDefaults(investor)).toEqual([second])
  await expectOk(scene.call(investor, 'DELETE', `/users/me/banks/${second}`))
  expect(await listDefaults(investor)).toEqual([])
  expect((await makeDefaultAccount(investor, second)).status).toBe(404)
  await expectOk(makeDefaultAccount(investor, first))
  expect(await listDefaults(investor)).toEqual([first])
})

test('concurrent requests leave one default, and other users keep theirs', async () => {
  const { investor, stranger } = scene
  const ids = await Promise.all(['1', '2', '3'].map((number) => addAccount(stranger, number)))
  expect(await listDefaults(stranger)).toHaveLength(1)
  const replies = await Promise.all([...ids, ...ids].map((id) => makeDefaultAccount(stranger, id)))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  const [chosen] = await listDefaults(stranger)
  expect(ids).toContain(chosen)
  const other = ids.find((id) => id !== chosen) ?? ''
  expect((await makeDefaultAccount(investor, other)).status).toBe(404)
  expect(await listDefaults(stranger)).toEqual([chosen])
})

test('the database accepts only one default account of a user', async () => {
  await expect(
    scene.gateway.db
      .updateTable('platform.bank_account')
      .set({ is_default: true })
      .where('user_id', '=', scene.stranger.userId)
      .execute(),
  ).rejects.toThrow('bank_account_default')
})

test('the owner is mailed once about each change, without the whole number', async () => {
  const { gateway, admin } = scene
  const visitor = scene.stranger
  const before = (await readMails(gateway, visitor.userId)).length
  const id = await addAccount(visitor, '10203040')
  await expectOk(makeDefaultAccount(visitor, id))
  await expectOk(makeDefaultAccount(visitor, id))
  const path = `/users/me/banks/${id}`
  const removals = await Promise.all([1, 2].map(() => scene.call(visitor, 'DELETE', path)))
  expect(removals.map(({ status }) => status).toSorted()).toEqual([204, 404])
  const mails = (await readMails(gateway, visitor.userId)).slice(0, -before).toReversed()
  expect(mails.map(({ kind }) => kind)).toEqual(['bank-confirmed', 'bank-default', 'bank-removed'])
  for (const { content } of mails) {
    expect(content).toMatchObject({ bankName: 'B', accountNumber: '•••• 3040' })
  }
  expect(JSON.stringify(mails)).not.toContain('10203040')
  expect(await readMails(gateway, admin.userId)).toEqual([])
})
