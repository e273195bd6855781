import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { addApprover } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { logIn, openBrowser } from '../../../testing/test-browser.ts'
import { openVisit, PASSWORD } from '../../../testing/test-gateway.ts'
import { holdPendingWithdrawals, processHoldRequests } from './credential-holds.ts'

/** At this time after a change, all withdrawals that were in flight are recorded. */
const IN_FLIGHT_MS = 300_000
const NEW_PASSWORD = 'another battery horse'
const PAID = { status: 200, body: { data: { transaction: { status: 'success' } } } }

let scene: Scene
let bankId: string
beforeAll(async () => {
  scene = await startScene()
  const { investor, admin, second, gateway } = scene
  bankId = await addUsableBankAccount(scene, investor, { accountNumber: '1234' })
  // Two approvers are added, because two approvers must approve a withdrawal on hold.
  for (const { userId } of [admin, second]) await addApprover(gateway, userId)
})
afterAll(() => scene?.gateway.stop())

/** Opens a new session of the investor, because the new password has ended the earlier sessions. */
const openOwnerVisit = () => openVisit(scene.gateway, scene.investor.userId)

/** Requests a withdrawal of the investor. */
async function requestWithdrawal(): Promise<string> {
  const { gateway, call } = scene
  // Ends the credential hold of an earlier change. The hold would prevent the withdrawal request.
  await gateway.db.updateTable('identity.user').set({ credential_hold_until: null }).execute()
  const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId }
  return getId(
    await expectOk(call(await openOwnerVisit(), 'POST', '/users/me/transactions', form)),
    'transaction',
  )
}

let password = PASSWORD
async function changePassword(): Promise<void> {
  const { gateway, investor } = scene
  const next = password === PASSWORD ? NEW_PASSWORD : PASSWORD
  const { email } = await gateway.db
    .selectFrom('identity.user')
    .select('email')
    .where('id', '=', investor.userId)
    .executeTakeFirstOrThrow()
  // The password must change after the withdrawal was requested, so the clock is moved first.
  gateway.moveClock(1_000)
  const browser = openBrowser(gateway)
  await logIn(browser, email, password)
  const form = { currentPassword: password, newPassword: next, passwordConfirm: next }
  const reply = await browser.call('PATCH', '/users/me/password', form)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  password = next
}

async function readHoldReason(transactionId: string): Promise<string | null> {
  const { transaction } = await scene.gateway.ledger.ask('transaction', { transactionId })
  return transaction?.holdReason ?? null
}

const sendApproval = (id: string) =>
  scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`)
const listOpenRequests = () =>
  scene.gateway.db
    .selectFrom('identity.hold_request')
    .select('id')
    .where('done_at', 'is', null)
    .execute()

describe('a withdrawal that is pending when a credential changes', () => {
  test('is put on hold once, however often the work is repeated', async () => {
    const id = await requestWithdrawal()
    await changePassword()
    const { deps } = scene.gateway
    expect(await listOpenRequests()).toHaveLength(1)
    await processHoldRequests(deps, deps.clock.now())
    expect(await readHoldReason(id)).toMatch(/^The password, the email or a second factor/)
    // The request stays open until withdrawals that were in flight are recorded.
    expect(await listOpenRequests()).toHaveLength(1)
    scene.gateway.moveClock(IN_FLIGHT_MS)
    await processHoldRequests(deps, deps.clock.now())
    expect(await listOpenRequests()).toEqual([])
    // Opens the hold request again, as if the worker had stopped before it closed the request.
    await scene.gateway.db.updateTable('identity.hold_request').set({ done_at: null }).execute()
    await processHoldRequests(deps, deps.clock.now())
    const { events } = await scene.gateway.ledger.ask('transactionEvents', { transactionId: id })
    expect(events.map(({ type }) => type)).toEqual(['WithdrawalRequested', 'WithdrawalHeld'])
    const shown = await expectOk(scene.call(await openOwnerVisit(), 'GET', `/transactions/${id}`))
    expect(shown).toMatchObject({ transaction: { holdReason: expect.any(String) } })
    await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/decline`))
  })

  test('is put on hold if its request was in flight during the change', async () => {
    const { deps, ledger } = scene.gateway
    const { submit } = ledger
    const arrival = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const paused = vi.spyOn(deps.ledger, 'submit').mockImplementation(async (command) => {
      if (command.type === 'RequestWithdrawal') {
        arrival.resolve()
        await release.promise
      }
      return await submit(command)
    })
    const requesting = requestWithdrawal()
    await arrival.promise
    await changePassword()
    await processHoldRequests(deps, deps.clock.now())
    release.resolve()
    const id = await requesting
    paused.mockRestore()
    scene.gateway.moveClock(IN_FLIGHT_MS)
    await processHoldRequests(deps, deps.clock.now())
    expect(await readHoldReason(id)).not.toBeNull()
    expect(await listOpenRequests()).toEqual([])
    await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/decline`))
  })

  test('is not approved by one administrator before the worker holds it', async () => {
    const id = await requestWithdrawal()
    await changePassword()
    expect(await listOpenRequests()).toHaveLength(1)
    const reply = await sendApproval(id)
    const waiting = { transaction: { status: 'pending', isApprovedOnce: true } }
    expect(reply).toMatchObject({ status: 200, body: { data: waiting } })
    expect(await readHoldReason(id)).not.toBeNull()
    await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/decline`))
  })

  test('sabotaged twin: with the request lost, one administrator approves it', async () => {
    const id = await requestWithdrawal()
    await changePassword()
    await scene.gateway.db.deleteFrom('identity.hold_request').execute()
    expect(await sendApproval(id)).toMatchObject(PAID)
  })

  test('is held by the change only if it is older', async () => {
    await changePassword()
    const { deps } = scene.gateway
    const nowMs = deps.clock.now()
    await scene.gateway.db
      .updateTable('identity.hold_request')
      .set({ created_at: new Date(0), done_at: null })
      .execute()
    const id = await requestWithdrawal()
    await holdPendingWithdrawals(deps, { userId: scene.investor.userId, nowMs })
    expect(await readHoldReason(id)).toBeNull()
    await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/decline`))
  })

  test('shows a changed bank account to the reviewer, and is not approved', async () => {
    const id = await requestWithdrawal()
    const readFlags = async () => {
      const shown = await expectOk<{ flags: string[] }>(
        scene.call(scene.admin, 'GET', `/transactions/${id}`),
      )
      return shown.flags
    }
    expect(await readFlags()).not.toContain('bank-account-changed')
    const updateAccount = (account_number: string) =>
      scene.gateway.db
        .updateTable('platform.bank_account')
        .set({ account_number })
        .where('id', '=', bankId)
        .execute()
    await updateAccount('6666')
    expect(await readFlags()).toContain('bank-account-changed')
    expect(await sendApproval(id)).toMatchObject({
      status: 409,
      body: { code: 'BANK_ACCOUNT_CHANGED' },
    })
    // Sabotaged twin: if the bank account has its original number again, the withdrawal can be
    // approved.
    await updateAccount('1234')
    expect(await sendApproval(id)).toMatchObject(PAID)
  })
})
