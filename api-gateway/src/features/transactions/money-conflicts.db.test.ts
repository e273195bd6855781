import type { CommandType, DataOf } from '@cairn/ledger-contracts'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { type Reply, type Visitor, visitAs } from '../../../testing/test-gateway.ts'

const HOUR_MS = 3_600_000
const why = { reason: 'a reason' }
const turned = { ...why, reverse: true }

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

/** Sends a command directly to the ledger, to reach states that no API call creates. */
async function submitCommand<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  effectiveAt: string | null = null,
): Promise<void> {
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt }
  // The cast is safe because the parameters pair the type with its data.
  const command = { type, data, ...envelope } as Parameters<typeof scene.gateway.ledger.submit>[0]
  expect(await scene.gateway.ledger.unrecorded.submit(command)).toMatchObject({
    outcome: 'recorded',
  })
}

async function setRules(change: object): Promise<void> {
  const { rules } = await scene.gateway.ledger.ask('rules', {})
  const { version: _version, ...known } = rules
  await submitCommand('SetMoneyRules', { rules: { ...known, ...change } })
}

async function addInvestorWith(amountMinor: bigint): Promise<Visitor> {
  const visitor = await visitAs(scene.gateway, 'investor')
  if (visitor === null) throw new Error('an investor has a session')
  if (amountMinor > 0n) await fundInvestor(visitor, amountMinor)
  return visitor
}

function fundInvestor({ userId: investorId }: Visitor, amountMinor: bigint): Promise<void> {
  const fundWallet = { wallet: 'balance', category: null, reason: null } as const
  return submitCommand('FundWallet', {
    transactionId: createId(Date.now()),
    investorId,
    amountMinor,
    ...fundWallet,
  })
}

async function requestWithdrawal(
  { userId: investorId }: Visitor,
  amountMinor: bigint,
  source: 'balance' | 'profit' = 'balance',
): Promise<string> {
  const transactionId = createId(Date.now())
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  await submitCommand('RequestWithdrawal', {
    transactionId,
    investorId,
    amountMinor,
    source,
    ...bank,
  })
  return transactionId
}

const sendDecision = (id: string, verb: 'approve' | 'decline', body: object = {}) =>
  scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/${verb}`, body)
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`

describe('a reversed decision', () => {
  test('pays a withdrawal from the bank account, not from the treasury', async () => {
    const readCash = async () => {
      const { accounts } = await scene.gateway.ledger.ask('accounts', {
        prefix: 'cash:',
        after: null,
        limit: 10,
      })
      return new Map(accounts.map(({ account, balanceMinor }) => [account, balanceMinor]))
    }
    const approveAgain = async (transactionId: string) => {
      await expectOk(sendDecision(transactionId, 'decline', turned))
      const before = await readCash()
      await expectOk(sendDecision(transactionId, 'approve', turned))
      return Array.from(await readCash(), ([account, minor]) => ({
        isTreasury: account === 'cash:treasury',
        changeMinor: minor - (before.get(account) ?? 0n),
      })).filter(({ changeMinor }) => changeMinor !== 0n)
    }
    const id = await requestWithdrawal(await addInvestorWith(50_00n), 20_00n)
    await expectOk(sendDecision(id, 'decline', why))
    expect(await approveAgain(id)).toMatchObject([{ isTreasury: false }])

    // Release 0.9.0 booked such a withdrawal to the treasury.
    await expectOk(sendDecision(id, 'decline', turned))
    const old = {
      transactionId: id,
      to: 'success',
      paymentOptionId: null,
      reason: 'a reason',
    } as const
    await submitCommand('ReverseWithdrawal', old)
    expect(await approveAgain(id)).toMatchObject([{ isTreasury: false }])
  })

  test('is refused if its money has been spent', async () => {
    const spender = await addInvestorWith(0n)
    const deposit = await scene.deposit(spender, '60.00')
    await expectOk(sendDecision(deposit, 'approve'))
    await expectOk(
      scene.call(spender, 'POST', '/users/me/investments', { plan: scene.planId, amount: 60 }),
    )
    expect(formatReply(await sendDecision(deposit, 'decline', turned))).toBe(
      '409 INSUFFICIENT_FUNDS: The money of this deposit is no longer in the wallet',
    )
    await fundInvestor(spender, 5_000n)
    const withdrawal = await requestWithdrawal(spender, 5_000n)
    await expectOk(sendDecision(withdrawal, 'decline', why))
    await requestWithdrawal(spender, 5_000n)
    expect(formatReply(await sendDecision(withdrawal, 'approve', turned))).toBe(
      '409 INSUFFICIENT_FUNDS: The amount is above what is available',
    )
  })

  test('is refused if its fee has been swept', async () => {
    const payer = await addInvestorWith(0n)
    await setRules({ depositFeePpm: 100_000 })
    const deposit = await scene.deposit(payer, '60.00')
    await expectOk(sendDecision(deposit, 'approve'))
    await expectOk(
      scene.call(scene.admin, 'POST', '/admin/reserve/sweep', { from: 'fees', amount: 6 }),
    )
    await setRules({ depositFeePpm: 0 })
    await fundInvestor(payer, 10_000n)
    expect(formatReply(await sendDecision(deposit, 'decline', turned))).toBe(
      '409 INSUFFICIENT_FUNDS: The fees account no longer holds the fee of this request',
    )
  })

  test('is refused if its owner cancelled the request or closed the account', async () => {
    const leaver = await addInvestorWith(0n)
    const taken = await scene.deposit(leaver, '60.00')
    await expectOk(scene.call(leaver, 'POST', `/users/me/transactions/${taken}/cancel`))
    expect(formatReply(await sendDecision(taken, 'approve', turned))).toBe(
      '409 NOT_REVERSIBLE: The investor cancelled this request; a new one is needed',
    )
    const declined = await scene.deposit(leaver, '60.00')
    await expectOk(sendDecision(declined, 'decline', why))
    const approved = await scene.deposit(leaver, '60.00')
    await expectOk(sendDecision(approved, 'approve'))
    // The withdrawal cannot be approved, because its bank account does not exist in this test.
    const unpayable = await requestWithdrawal(leaver, 6_000n)
    expect(formatReply(await sendDecision(unpayable, 'approve'))).toMatch(
      '409 BANK_ACCOUNT_CHANGED',
    )
    await expectOk(sendDecision(unpayable, 'decline', why))
    const debit = { wallet_type: 'balance', direction: 'debit', amount: 60, ...why }
    const emptying = { user: leaver.userId, ...debit }
    await expectOk(scene.call(scene.admin, 'POST', '/admin/adjustments', emptying))
    await submitCommand('CloseInvestor', { investorId: leaver.userId })
    const gone = '409 INVESTOR_UNKNOWN: The investor has closed the account'
    expect(formatReply(await sendDecision(declined, 'approve', turned))).toBe(gone)
    expect(formatReply(await sendDecision(approved, 'decline', turned))).toBe(gone)
  })
})

test('a transfer is not decided, and a correction of too much is refused', async () => {
  const { admin, investor, call } = scene
  const form = { user: investor.userId, wallet_type: 'balance', direction: 'debit', ...why }
  const made = call(admin, 'POST', '/admin/adjustments', { ...form, amount: 1 })
  const id = getId(await expectOk(made), 'adjustment')
  const refused = '422 UNSUPPORTED: A transfer cannot be decided'
  expect(formatReply(await sendDecision(id, 'decline', turned))).toBe(refused)
  expect(
    formatReply(await call(admin, 'POST', '/admin/adjustments', { ...form, amount: 9_999_999 })),
  ).toBe('422 INSUFFICIENT_FUNDS: The wallet does not hold that much')
})

test('a funding needs a wallet and a sufficient reserve', async () => {
  const { admin, second, investor, gateway, call } = scene
  const pending = await visitAs(gateway, 'pending')
  const sendFunding = (userId: string, change: object = {}) =>
    call(admin, 'PATCH', `/users/${userId}/wallets`, {
      wallet_type: 'balance',
      amount: 5,
      category: 'gift',
      ...why,
      ...change,
    })
  expect(formatReply(await sendFunding(second.userId))).toBe(
    '422 NO_WALLET: Administrators have no wallet',
  )
  const unknown = '409 INVESTOR_UNKNOWN: There is no such account'
  expect(formatReply(await sendFunding(pending?.userId ?? ''))).toBe(unknown)
  const form = { wallet_type: 'balance', direction: 'credit', amount: 5, ...why }
  const proposal = { user: pending?.userId, ...form }
  expect(formatReply(await call(admin, 'POST', '/admin/adjustments', proposal))).toBe(unknown)
  await setRules({ coverageMode: 'strict' })
  const short = '422 INSUFFICIENT_FUNDS: The reserve does not hold that much'
  expect(
    formatReply(await sendFunding(investor.userId, { wallet_type: 'profit', amount: 9_999_999 })),
  ).toBe(short)
  const out = { amount: 9_999_999, note: 'out' }
  expect(formatReply(await call(admin, 'POST', '/admin/reserve/withdraw', out))).toBe(short)
  const opening = { plan: await makePlan({ percentage: 900 }), amount: 150 }
  const rich = await addInvestorWith(50_000n)
  expect(formatReply(await call(rich, 'POST', '/users/me/investments', opening))).toBe(
    '422 FULLY_SUBSCRIBED: This plan is fully subscribed',
  )
  await setRules({ coverageMode: 'disclose' })
})

async function makePlan(change: object): Promise<string> {
  const terms = { name: 'Hours', planDuration: 10, timingParameter: 'hours', minDeposit: 50 }
  const form = { ...terms, percentage: 10, returnPrincipal: true, ...change }
  return getId(await expectOk(scene.call(scene.admin, 'POST', '/plans', form)), 'plan')
}

test('a plan that has changed since it was read is neither archived nor edited', async () => {
  const { admin, gateway, call } = scene
  const id = await makePlan({})
  const changed = '409 TERMS_CHANGED: The terms of this plan have changed; look at them again'
  expect(formatReply(await call(admin, 'DELETE', `/plans/${id}?version=7`))).toBe(changed)
  const [, message = ''] = changed.split(': ')
  // The ledger gives this answer if the plan is edited after the gateway's query.
  gateway.ledger.answerWith = () => {
    return { outcome: 'refused', code: 'TERMS_CHANGED', message, details: {} }
  }
  const edited = await call(admin, 'PATCH', `/plans/${id}`, { name: 'Another name' })
  gateway.ledger.answerWith = () => null
  expect(formatReply(edited)).toBe(changed)
})

test('an investment follows the current plan and the current state of the account', async () => {
  const buyer = await addInvestorWith(500_000n)
  const plan = await makePlan({ maxDeposit: 100 })
  const openInvestment = (body: object) =>
    scene.call(buyer, 'POST', '/users/me/investments', { plan, amount: 60, ...body })
  expect(formatReply(await openInvestment({ amount: 101 }))).toBe(
    "422 AMOUNT_ABOVE_MAXIMUM: You can't invest more than $100 on this plan",
  )
  expect(formatReply(await openInvestment({ planVersion: 7 }))).toBe(
    '409 TERMS_CHANGED: The terms of this plan have changed; look at them again',
  )
  await submitCommand('SuspendInvestor', { investorId: buyer.userId, standing: 'deactivated' })
  const held = '403 INVESTOR_NOT_ACTIVE: Your account cannot do this at the moment'
  expect(formatReply(await openInvestment({}))).toBe(held)
  await expect(scene.deposit(buyer, '60.00')).rejects.toThrow('INVESTOR_NOT_ACTIVE')
})

test('an investment cannot be cancelled after its profit was withdrawn', async () => {
  const { userId: investorId, ...buyer } = await addInvestorWith(50_000n)
  await setRules({ coolingOffHours: 100, minimumWithdrawalMinor: 1n })
  const data = { investmentId: createId(Date.now()), planVersion: null, investorId }
  const planId = await makePlan({ percentage: 100 })
  const twoHoursAgo = new Date(Date.now() - 2 * HOUR_MS).toISOString()
  await submitCommand('OpenInvestment', { ...data, planId, amountMinor: 10_000n }, twoHoursAgo)
  const owner = { userId: investorId, ...buyer }
  await expectOk(scene.call(owner, 'PATCH', '/investments/mine'))
  await requestWithdrawal(owner, 500n, 'profit')
  const path = `/users/me/investments/${data.investmentId}/cancel`
  expect(formatReply(await scene.call(owner, 'POST', path))).toBe(
    '422 INSUFFICIENT_FUNDS: The profit of this investment is no longer in the wallet',
  )
})

test('an investor has at most fifty pending requests', async () => {
  const asker = await addInvestorWith(0n)
  for (let asked = 0; asked < 50; asked += 1) {
    const receipt = { receiptId: 'r', receiptSha256: 'a'.repeat(64) }
    const method = { method: 'Bank Transfer', paymentOptionId: null, amountMinor: 10_000n }
    const transactionId = createId(Date.now())
    await submitCommand('RequestDeposit', {
      transactionId,
      investorId: asker.userId,
      ...method,
      ...receipt,
    })
  }
  await expect(scene.deposit(asker, '60.00')).rejects.toThrow(
    'There are already 50 pending requests. Wait for a decision or cancel one of them.',
  )
})
