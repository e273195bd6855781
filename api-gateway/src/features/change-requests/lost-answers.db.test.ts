import type { AdminPlan, AdminSettings } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene, TEN_DAYS } from '../../../testing/scene.ts'
import type { Reply } from '../../../testing/test-gateway.ts'
import { createChangeRegistry } from '../../change-kinds.ts'
import type { ChangeDefinition } from './definition.ts'
import { executeChange, finishChanges } from './execute.ts'

const HOUR_MS = 3_600_000
const log = pino({ level: 'silent' })

let scene: Scene
let bankId: string
beforeAll(async () => {
  scene = await startScene()
  const { gateway, investor, admin, second } = scene
  bankId = await addUsableBankAccount(scene, investor)
  const data = {
    transactionId: createId(Date.now()),
    investorId: investor.userId,
    wallet: 'balance',
    amountMinor: 1_000_000n,
    category: null,
    reason: null,
  } as const
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  await gateway.ledger.unrecorded.submit({ type: 'FundWallet', data, ...envelope })
  await makeApprovers(gateway, [admin.userId, second.userId])
  await setThreshold(gateway, 10_000n)
})
afterAll(() => scene?.gateway.stop())
// The ledger adds up the amounts that one administrator moves alone within 24 hours.
beforeEach(() => scene.gateway.moveAllClocks(26 * HOUR_MS))

const readState = async (id: string) => {
  const { state, failure } = await readChange(scene.gateway, scene.second, id)
  return { state, failure }
}
const retryChanges = () =>
  finishChanges(
    { ...scene.gateway.deps, registry: createChangeRegistry(scene.gateway.deps) },
    { nowMs: scene.gateway.deps.clock.now(), log },
  )

/** Approves the request while the ledger records each command and its answer is lost. */
async function approveWithLostAnswer(id: string): Promise<Reply> {
  const { ledger } = scene.gateway
  const sent: Promise<unknown>[] = []
  ledger.answerWith = (command) => {
    if (command.key !== `change:${id}`) return null
    sent.push(ledger.unrecorded.submit(command))
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  }
  try {
    return await approveChange(scene.gateway, scene.second, id)
  } finally {
    await Promise.all(sent)
    ledger.answerWith = () => null
    expect(sent).toHaveLength(1)
  }
}

/** Approves the request while the ledger receives no command. */
async function approveWithoutLedger(id: string): Promise<void> {
  const { ledger } = scene.gateway
  ledger.answerWith = ({ key }) =>
    key === `change:${id}`
      ? { outcome: 'failed', code: 'UNAVAILABLE', message: 'the ledger is stopped' }
      : null
  expect((await approveChange(scene.gateway, scene.second, id)).status).toBe(503)
  ledger.answerWith = () => null
}

const countCommands = (id: string) =>
  scene.gateway.ledger.commands.filter(({ key }) => key === `change:${id}`).length

async function requestWithdrawal(): Promise<string> {
  const form = { type: 'withdrawal', amount: 200, pay_option: 'balance', bank_id: bankId }
  const asked = scene.call(scene.investor, 'POST', '/users/me/transactions', form)
  return getId(await expectOk(asked), 'transaction')
}

async function requestApprovedWithdrawal(): Promise<{ id: string; transactionId: string }> {
  const transactionId = await requestWithdrawal()
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${transactionId}/action/approve`))
  type Listed = { changeRequests: { id: string }[] }
  const path = `/admin/approvals?target=${transactionId}`
  const { changeRequests } = await expectOk<Listed>(scene.call(scene.second, 'GET', path))
  return { id: changeRequests[0]?.id ?? '', transactionId }
}

const readStatus = async (transactionId: string) =>
  (await scene.gateway.ledger.ask('transaction', { transactionId })).transaction?.status

describe('a change whose answer from the ledger was lost', () => {
  test('is not failed if it approved a withdrawal, which is paid once', async () => {
    const { id, transactionId } = await requestApprovedWithdrawal()
    expect((await approveWithLostAnswer(id)).status).toBe(503)
    expect(await readStatus(transactionId)).toBe('success')
    expect(await readState(id)).toEqual({ state: 'approved', failure: null })
    await retryChanges()
    expect(await readState(id)).toEqual({ state: 'executed', failure: null })
    const { events } = await scene.gateway.ledger.ask('transactionEvents', { transactionId })
    expect(events.filter(({ type }) => type === 'WithdrawalApproved')).toHaveLength(1)
  })

  test('is not failed if its approver is deactivated before the repetition', async () => {
    const { id } = await requestApprovedWithdrawal()
    await approveWithLostAnswer(id)
    const { gateway, second, admin } = scene
    const setStatus = (status: 'active' | 'deactivated') =>
      gateway.db
        .updateTable('identity.user')
        .set({ status })
        .where('id', '=', second.userId)
        .execute()
    await setStatus('deactivated')
    await executeChange(
      { ...gateway.deps, registry: createChangeRegistry(gateway.deps) },
      { id, nowMs: gateway.deps.clock.now() },
    )
    await setStatus('active')
    expect((await readChange(gateway, admin, id)).state).toBe('executed')
  })

  test('stores the source of the return if it defined a plan', async () => {
    const { call, admin } = scene
    const body = { ...TEN_DAYS, sourceOfReturn: 'Rent of three houses', reason: 'Asked for often' }
    const { id, target } = getRequestedChange(await call(admin, 'POST', '/plans', body))
    await approveWithLostAnswer(id)
    await retryChanges()
    expect(await readState(id)).toEqual({ state: 'executed', failure: null })
    const { plans } = await expectOk<{ plans: AdminPlan[] }>(call(admin, 'GET', '/admin/plans'))
    const plan = plans.find((one) => one.id === target)
    expect(plan).toMatchObject({ version: 1, source: { text: 'Rent of three houses' } })
  })

  test('stores the part of the gateway if it changed money rules', async () => {
    const readSettings = async () =>
      (
        await expectOk<{ settings: AdminSettings }>(
          scene.call(scene.admin, 'GET', '/admin/settings'),
        )
      ).settings
    const { general, security, payment, ...rest } = await readSettings()
    const form = {
      ...rest,
      general,
      security: { ...security, approvalThreshold: 150, loginAttempts: 9 },
      payment,
      reason: 'Fewer approvals of small amounts',
    }
    const { id } = getRequestedChange(
      await scene.call(scene.admin, 'POST', '/admin/settings', form),
    )
    await approveWithLostAnswer(id)
    expect((await readSettings()).security.loginAttempts).toBe(security.loginAttempts)
    await retryChanges()
    expect(await readState(id)).toEqual({ state: 'executed', failure: null })
    const saved = (await readSettings()).security
    expect(saved).toMatchObject({ approvalThreshold: 150, loginAttempts: 9 })
    await setThreshold(scene.gateway, 10_000n)
  })
})

describe('a change whose state really changed', () => {
  test('before its start fails, and sends no command', async () => {
    const { id, transactionId } = await requestApprovedWithdrawal()
    const path = `/transactions/${transactionId}/action/decline`
    await expectOk(scene.call(scene.second, 'PATCH', path, { reason: 'The account is closed' }))
    const reply = await approveChange(scene.gateway, scene.second, id)
    expect([reply.status, reply.body.code]).toEqual([409, 'CHANGE_FAILED'])
    expect(countCommands(id)).toBe(0)
    expect(await readState(id)).toMatchObject({
      state: 'failed',
      failure: 'The current state has changed since the request was made',
    })
  })

  test('after its start fails as the ledger refuses it', async () => {
    const { id, transactionId } = await requestApprovedWithdrawal()
    await approveWithoutLedger(id)
    const path = `/transactions/${transactionId}/action/decline`
    await expectOk(scene.call(scene.second, 'PATCH', path, { reason: 'The account is closed' }))
    await retryChanges()
    expect((await readState(id)).state).toBe('failed')
    expect(await readStatus(transactionId)).toBe('declined')
  })

  test('fails if the gateway stopped before it committed a change of its own', async () => {
    const { call, admin, second, gateway } = scene
    const path = '/admin/templates/welcome'
    const save = (subject: string) => call(admin, 'PUT', path, { subject, body: 'A new text' })
    const { id } = getRequestedChange(await save('First'))
    const registry = createChangeRegistry(gateway.deps)
    const stopping: ChangeDefinition = {
      ...registry['mail-template'],
      execute: async () => {
        throw new Error('the process stops here')
      },
    }
    await insertApproval(id)
    const nowMs = gateway.deps.clock.now()
    const deps = { ...gateway.deps, registry: { ...registry, 'mail-template': stopping } }
    await expect(executeChange(deps, { id, nowMs })).rejects.toThrow('the process stops here')
    await gateway.db
      .insertInto('platform.mail_template')
      .values({
        kind: 'welcome',
        subject: 'S',
        body: 'B',
        updated_at: new Date(),
        updated_by: second.userId,
      })
      .execute()
    await retryChanges()
    expect((await readState(id)).state).toBe('failed')
  })
})

async function insertApproval(id: string): Promise<void> {
  const { gateway, second } = scene
  const { payloadSha256 } = await readChange(gateway, second, id)
  const approvedAt = new Date(gateway.deps.clock.now())
  await gateway.db
    .insertInto('platform.change_approval')
    .values({
      request_id: id,
      approver_id: second.userId,
      approved_at: approvedAt,
      payload_sha256: payloadSha256,
    })
    .execute()
  await gateway.db
    .updateTable('platform.change_request')
    .set({ state: 'approved', decided_by: second.userId, decided_at: approvedAt })
    .where('id', '=', id)
    .execute()
}

test('two processes that carry out one change end it once', async () => {
  const { id, transactionId } = await requestApprovedWithdrawal()
  await insertApproval(id)
  const { deps, db } = scene.gateway
  const executing = { ...deps, registry: createChangeRegistry(deps) }
  const nowMs = deps.clock.now()
  const rows = await Promise.all([1, 2].map(() => executeChange(executing, { id, nowMs })))
  expect(rows.map(({ state }) => state)).toEqual(['executed', 'executed'])
  expect(await readStatus(transactionId)).toBe('success')
  expect(countCommands(id)).toBe(1)
  const entries = await db
    .selectFrom('platform.audit')
    .select('action')
    .where('request_id', '=', `change:${id}`)
    .execute()
  expect(entries).toEqual([{ action: 'change.execute' }])
})

test('nothing is asked between the command and the end of the change', async () => {
  const { id } = await requestApprovedWithdrawal()
  await insertApproval(id)
  const { deps } = scene.gateway
  const registry = createChangeRegistry(deps)
  const known = registry['withdrawal-approval']
  let isSent = false
  const watched: ChangeDefinition = {
    ...known,
    execute: async (change) => {
      await known.execute(change)
      isSent = true
    },
    describeChange: async (payload, before) => {
      if (isSent) throw new Error('the ledger does not answer')
      return await known.describeChange(payload, before)
    },
  }
  const executing = { ...deps, registry: { ...registry, 'withdrawal-approval': watched } }
  const row = await executeChange(executing, { id, nowMs: deps.clock.now() })
  expect(row.state).toBe('executed')
})
