import { account, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
})
afterAll(async () => {
  expect((await ledger.ask('check', {})).problems).toEqual([])
  await ledger.close()
})

const sha256 = 'a'.repeat(64)
const createIdNow = () => createId(ledger.clock.now())

async function readSummary(investorId: string) {
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  const [summary] = investors
  if (summary === undefined) throw new Error('unknown investor')
  return summary
}

describe('an investor', () => {
  test('deposits, invests, earns and withdraws', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const deposit = createIdNow()
    const request = {
      investorId,
      method: 'Bank Transfer',
      paymentOptionId: 'bank',
      receiptId: 'r1',
    }
    await requireRecorded(
      ledger.submit('RequestDeposit', {
        ...request,
        transactionId: deposit,
        amountMinor: 100_000n,
        receiptSha256: sha256,
      }),
    )
    expect((await readSummary(investorId)).available.balance).toBe(0n)
    await requireRecorded(
      ledger.submit('ApproveDeposit', {
        transactionId: deposit,
        paymentOptionId: null,
        approvedMinor: 100_000n,
      }),
    )
    expect((await readSummary(investorId)).available.balance).toBe(100_000n)

    const planId = createIdNow()
    await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
    const investmentId = createIdNow()
    // The promised profit is 5 % of 500.00.
    await requireRecorded(
      ledger.submit('OpenInvestment', {
        investmentId,
        investorId,
        planId,
        amountMinor: 50_000n,
        planVersion: 1,
      }),
    )
    expect(await readSummary(investorId)).toMatchObject({
      available: { balance: 50_000n },
      principalMinor: 50_000n,
      totals: { depositedMinor: 100_000n, investmentCount: 1, investedMinor: 50_000n },
    })

    ledger.clock.set(Date.now() + 2 * DAY_MS + 1_000)
    const now = new Date(ledger.clock.now()).toISOString()
    const { due } = await ledger.ask('due', { now, after: null, investorId, limit: 10 })
    expect(due).toEqual([{ investmentId, units: 2 }])
    await requireRecorded(ledger.submit('AccrueThrough', { investmentId, units: 2 }))
    expect((await readSummary(investorId)).available.profit).toBe(166n)
    expect(await ledger.submit('AccrueThrough', { investmentId, units: 2 })).toMatchObject({
      outcome: 'refused',
      code: 'NOT_DUE',
    })

    ledger.clock.set(Date.now() + 31 * DAY_MS)
    await requireRecorded(ledger.submit('AccrueThrough', { investmentId, units: 30 }))
    expect(await readSummary(investorId)).toMatchObject({
      available: { balance: 100_000n, profit: 2_500n },
      principalMinor: 0n,
    })
    const { investment } = await ledger.ask('investment', { investmentId })
    expect(investment).toMatchObject({ status: 'completed', unitsDone: 30, creditedMinor: 2_500n })

    const transactionId = createIdNow()
    await requireRecorded(
      ledger.submit('RequestWithdrawal', {
        transactionId,
        investorId,
        source: 'profit',
        amountMinor: 2_500n,
        bankAccountId: 'bank',
        bankAccountSha256: sha256,
      }),
    )
    expect(await readSummary(investorId)).toMatchObject({
      available: { profit: 0n },
      held: { profit: 2_500n },
    })
    await requireRecorded(
      ledger.submit('ApproveWithdrawal', {
        transactionId,
        paymentOptionId: 'bank',
        payoutReference: null,
        bankAccountSha256: sha256,
      }),
    )
    expect((await readSummary(investorId)).held.profit).toBe(0n)
    const [cash] = await ledger.runSql<{ balance_minor: string }>(
      'select balance_minor from ledger.balance where account = $1',
      [account.getCashCode('bank')],
    )
    // 1,000.00 were deposited and 25.00 were paid out.
    expect(cash?.balance_minor).toBe('-97500')
  })

  test('may send a request and its approval in one call', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const transactionId = createIdNow()
    const request = { investorId, method: 'Bank Transfer', paymentOptionId: 'bank' }
    const answers = await Promise.all([
      ledger.submit('RequestDeposit', {
        ...request,
        transactionId,
        amountMinor: 7_000n,
        receiptId: 'r2',
        receiptSha256: sha256,
      }),
      ledger.submit('ApproveDeposit', {
        transactionId,
        paymentOptionId: null,
        approvedMinor: 7_000n,
      }),
      ledger.submit('DeclineDeposit', { transactionId, reason: 'late' }),
    ])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['recorded', 'recorded', 'refused'])
    expect((await readSummary(investorId)).available.balance).toBe(7_000n)
  })

  test('receives the reason of a refusal', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 5_000n })
    const withdrawal = {
      investorId,
      source: 'balance',
      bankAccountId: 'bank',
      bankAccountSha256: sha256,
    } as const
    const tooMuch = { ...withdrawal, transactionId: createIdNow(), amountMinor: 5_001n }
    expect(await ledger.submit('RequestWithdrawal', tooMuch)).toMatchObject({
      outcome: 'refused',
      code: 'INSUFFICIENT_FUNDS',
      details: { availableMinor: '5000' },
    })
    await requireRecorded(ledger.submit('SuspendInvestor', { investorId, standing: 'deactivated' }))
    const small = { ...withdrawal, transactionId: createIdNow(), amountMinor: 5_000n }
    expect(await ledger.submit('RequestWithdrawal', small)).toMatchObject({
      outcome: 'refused',
      code: 'INVESTOR_NOT_ACTIVE',
    })
    expect(await ledger.submit('CloseInvestor', { investorId })).toMatchObject({
      code: 'INVESTOR_NOT_EMPTY',
    })
  })
})

describe('an idempotency key', () => {
  test('answers a repeat with the same event and another request with a refusal', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 9_000n })
    const data = {
      transactionId: createIdNow(),
      investorId,
      source: 'balance',
      amountMinor: 3_000n,
      bankAccountId: 'bank',
      bankAccountSha256: sha256,
    } as const
    const envelope = { actor: `user:${investorId}`, key: 'first' }
    const attempts = Array.from({ length: 20 }, () =>
      requireRecorded(ledger.submit('RequestWithdrawal', data, envelope)),
    )
    const answers = await Promise.all(attempts)
    expect(new Set(answers.map(({ event }) => event.seq)).size).toBe(1)
    const again = await requireRecorded(ledger.submit('RequestWithdrawal', data, envelope))
    expect(again).toEqual({ ...answers[0], isReplay: true })
    expect((await readSummary(investorId)).available.balance).toBe(6_000n)

    const other = { ...data, amountMinor: 4_000n }
    expect(await ledger.submit('RequestWithdrawal', other, envelope)).toMatchObject({
      code: 'KEY_REUSED',
    })
    const theirs = { ...envelope, actor: 'user:somebody-else' }
    expect(await ledger.submit('RequestWithdrawal', data, theirs)).toMatchObject({
      code: 'ID_ALREADY_USED',
    })
  })

  test('repeats a refusal, also if the balance has become sufficient', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const data = {
      transactionId: createIdNow(),
      investorId,
      source: 'balance',
      amountMinor: 3_000n,
      bankAccountId: 'bank',
      bankAccountSha256: sha256,
    } as const
    const envelope = { actor: `user:${investorId}`, key: 'poor' }
    const refused = await ledger.submit('RequestWithdrawal', data, envelope)
    expect(refused).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    const gift = {
      transactionId: createIdNow(),
      investorId,
      wallet: 'balance',
      amountMinor: 9_000n,
    } as const
    await requireRecorded(ledger.submit('FundWallet', { ...gift, category: null, reason: null }))
    expect(await ledger.submit('RequestWithdrawal', data, envelope)).toEqual(refused)
  })
})
