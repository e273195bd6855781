import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { readMails } from '../../../testing/test-browser.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

interface Shown {
  user: { name: string; pendingName: string | null; email: string }
}

async function requestName(visitor: Visitor, name: string): Promise<Shown['user']> {
  const { call } = scene
  const { user } = await expectOk<Shown>(call(visitor, 'GET', '/users/me'))
  const form = { name, email: user.email, phone: '+44 20 7946 0100', country: 'GB' }
  return (await expectOk<Shown>(call(visitor, 'PUT', '/users/update-profile', form))).user
}

const reviewName = (userId: string, body: object, by = scene.admin) =>
  scene.call(by, 'PATCH', `/users/${userId}/name`, { reason: 'Saw the passport.', ...body })

async function readName(userId: string): Promise<Pick<Shown['user'], 'name' | 'pendingName'>> {
  const { user } = await expectOk<Shown>(scene.call(scene.admin, 'GET', `/users/${userId}`))
  return { name: user.name, pendingName: user.pendingName }
}

/** Adds an approved investor. Returns the session and the verified name. */
async function addInvestor(): Promise<{ visitor: Visitor; name: string }> {
  const visitor = await openVisit(
    scene.gateway,
    await addUser(scene.gateway, { role: 'user', status: 'active' }),
  )
  return { visitor, name: (await readName(visitor.userId)).name }
}

describe('the name of an approved investor', () => {
  test('stays until an administrator approves exactly the new name', async () => {
    const { visitor, name } = await addInvestor()
    const { userId } = visitor
    expect(await requestName(visitor, 'Ada New')).toMatchObject({ name, pendingName: 'Ada New' })
    const other = await reviewName(userId, { name: 'Ada Other', decision: 'approve' })
    expect(other).toMatchObject({ status: 409, body: { code: 'NAME_NOT_PENDING' } })
    expect(
      (await reviewName(userId, { name: 'Ada New', decision: 'approve', reason: ' ' })).status,
    ).toBe(400)
    expect(await readName(userId)).toEqual({ name, pendingName: 'Ada New' })
    expect((await reviewName(userId, { name: 'Ada New', decision: 'approve' })).status).toBe(200)
    expect(await readName(userId)).toEqual({ name: 'Ada New', pendingName: null })
    const again = await reviewName(userId, { name: 'Ada New', decision: 'approve' })
    expect(again.body.code).toBe('NAME_NOT_PENDING')
    const [mail] = await readMails(scene.gateway, userId)
    expect(mail).toMatchObject({
      kind: 'name-reviewed',
      content: { newName: 'Ada New', outcome: 'accepted' },
    })
  })

  test('stays after a rejection, and after the new name is withdrawn', async () => {
    const { visitor, name } = await addInvestor()
    await requestName(visitor, 'Ada New')
    const rejected = await reviewName(visitor.userId, { name: 'Ada New', decision: 'reject' })
    expect(rejected.status).toBe(200)
    expect(await readName(visitor.userId)).toEqual({ name, pendingName: null })
    await requestName(visitor, 'Ada Newer')
    expect(await requestName(visitor, name)).toMatchObject({ name, pendingName: null })
  })

  test('is the name that is compared with bank accounts', async () => {
    const { gateway, call, admin, deposit } = scene
    const { visitor } = await addInvestor()
    const { userId } = visitor
    await gateway.db
      .updateTable('identity.user')
      .set({ name: 'Ada Verified' })
      .where('id', '=', userId)
      .execute()
    const depositId = await deposit(visitor, '100.00')
    await expectOk(call(admin, 'PATCH', `/transactions/${depositId}/action/approve`))
    await requestName(visitor, 'Thief Thirdparty')
    const bank = { bankName: 'B', accountNumber: '1', accountType: 'Others' }
    const account = { ...bank, accountName: 'Thief Thirdparty' }
    const bankId = getId(
      await expectOk(call(visitor, 'POST', '/users/me/banks', account)),
      'account',
    )
    await gateway.db
      .updateTable('platform.bank_account')
      .set({ usable_from: new Date(0) })
      .execute()
    const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId }
    const id = getId(
      await expectOk(call(visitor, 'POST', '/users/me/transactions', form)),
      'transaction',
    )
    const readFlags = async () =>
      (await expectOk<{ flags: string[] }>(call(admin, 'GET', `/transactions/${id}`))).flags
    expect(await readFlags()).toContain('name-differs')
    // Sabotaged twin: if the new name is stored without a review, the warning that the bank account
    // has a different name disappears.
    await gateway.db
      .updateTable('identity.user')
      .set({ name: 'Thief Thirdparty' })
      .where('id', '=', userId)
      .execute()
    expect(await readFlags()).not.toContain('name-differs')
  })
})

test('the name of a user who waits for approval, or of an administrator, changes at once', async () => {
  const pending = await openVisit(
    scene.gateway,
    await addUser(scene.gateway, { role: 'user', status: 'pending' }),
  )
  expect(await requestName(pending, 'Ada New')).toMatchObject({
    name: 'Ada New',
    pendingName: null,
  })
  expect(await requestName(scene.second, 'Bo New')).toMatchObject({
    name: 'Bo New',
    pendingName: null,
  })
})

test('a review of the own name and of an unknown user is refused', async () => {
  const body = { name: 'Ada New', decision: 'approve' }
  expect(await reviewName(scene.admin.userId, body)).toMatchObject({
    status: 409,
    body: { code: 'NAME_OWN' },
  })
  expect((await reviewName('0123456789abcdefghjk', body)).status).toBe(404)
})
