import { ALL_TRANSACTIONS, account, createId } from '@cairn/ledger-contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFigure } from '../../../test/support/figure.ts'
import { plainRules } from '../../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import type { Model } from '../../log/model.ts'
import { model } from '../model.ts'
import { PENDING_MAX } from '../transactions/request.ts'

const BALANCE_MINOR = 100_000n
const AMOUNT_MINOR = 30_000n
const bank = { source: 'balance', bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) } as const
const approval = { paymentOptionId: null, payoutReference: null, bankAccountSha256: 'b'.repeat(64) }
const reason = 'test'

let ledger: TestLedger
let investorId: string
beforeEach(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: BALANCE_MINOR })
})
afterEach(() => ledger.close())

function requestWithdrawal(amountMinor = AMOUNT_MINOR) {
  const transactionId = createId(Date.now())
  const data = { ...bank, transactionId, investorId, amountMinor }
  return ledger.submit('RequestWithdrawal', data).then((answer) => ({ transactionId, answer }))
}

async function requestRecordedWithdrawal(): Promise<string> {
  const { transactionId, answer } = await requestWithdrawal()
  await requireRecorded(Promise.resolve(answer))
  return transactionId
}

/** Returns the available amount, the held amount and the sum of pending requests. */
async function readMoney(from = ledger) {
  const codes = [
    account.getAvailableCode(investorId, 'balance'),
    account.getHeldCode(investorId, 'balance'),
  ]
  const { accounts } = await from.ask('accounts', {
    prefix: `investor:${investorId}:`,
    after: null,
    limit: 20,
  })
  const [available, held] = codes.map(
    (code) => accounts.find((row) => row.account === code)?.balanceMinor ?? 0n,
  )
  const { totalMinor: pending } = await from.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [investorId],
    order: 'oldest',
    limit: 100,
    type: 'withdrawal',
    status: 'pending',
  })
  return { available, held, pending }
}

async function readCode(answering: Promise<{ outcome: string; code?: string }>): Promise<string> {
  const { outcome, code } = await answering
  return code ?? outcome
}

/**
 * Submits, in parallel, all commands that can arrive after the decision. Returns the outcomes of
 * these commands.
 */
async function submitLateActions(transactionId: string, first = 0): Promise<readonly string[]> {
  const actions = [
    () => ledger.submit('ApproveWithdrawal', { transactionId, ...approval }),
    () => ledger.submit('DeclineWithdrawal', { transactionId, reason }),
    () => ledger.submit('CancelWithdrawal', { transactionId, investorId }),
  ]
  const inOrder = [...actions.slice(first), ...actions.slice(0, first)]
  return Promise.all(inOrder.map((act) => readCode(act())))
}
const ALL_LATE = ['TRANSACTION_DECIDED', 'TRANSACTION_DECIDED', 'TRANSACTION_DECIDED']

test('requests beyond the balance are refused, and the others hold their exact amounts', async ({
  task,
}) => {
  const asked = await Promise.all(Array.from({ length: 40 }, () => requestWithdrawal(7_000n)))
  const codes = asked.map(({ answer }) => ('code' in answer ? answer.code : answer.outcome))
  expect(codes.filter((code) => code === 'recorded')).toHaveLength(14)
  expect(codes.filter((code) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(26)
  expect(await readMoney()).toEqual({ available: 2_000n, held: 98_000n, pending: 98_000n })
  recordFigure(task, '14 of 40 held, 98,000 of 100,000')
})

test('a decline and a cancellation release exactly what was held, and late actions conflict', async () => {
  const [declined, cancelled] = [
    await requestRecordedWithdrawal(),
    await requestRecordedWithdrawal(),
  ]
  expect(await readMoney()).toEqual({ available: 40_000n, held: 60_000n, pending: 60_000n })
  await requireRecorded(ledger.submit('DeclineWithdrawal', { transactionId: declined, reason }))
  expect(await readMoney()).toEqual({ available: 70_000n, held: 30_000n, pending: 30_000n })
  const others = { transactionId: cancelled, investorId: createId(Date.now()) }
  expect(await readCode(ledger.submit('CancelWithdrawal', others))).toBe('NOT_YOURS')
  await requireRecorded(ledger.submit('CancelWithdrawal', { transactionId: cancelled, investorId }))
  for (const transactionId of [declined, cancelled]) {
    expect(await submitLateActions(transactionId)).toEqual(ALL_LATE)
  }
  expect(await readMoney()).toEqual({ available: BALANCE_MINOR, held: 0n, pending: 0n })
})

test('an approval pays out of the hold once', async () => {
  const transactionId = await requestRecordedWithdrawal()
  await requireRecorded(ledger.submit('ApproveWithdrawal', { transactionId, ...approval }))
  expect(await submitLateActions(transactionId)).toEqual(ALL_LATE)
  expect(await readMoney()).toEqual({ available: 70_000n, held: 0n, pending: 0n })
})

test('an investor suspended with a request pending keeps the hold until it is decided', async () => {
  const [paid, declined] = [await requestRecordedWithdrawal(), await requestRecordedWithdrawal()]
  expect(await readCode(ledger.submit('CloseInvestor', { investorId }))).toBe('INVESTOR_NOT_EMPTY')
  await requireRecorded(ledger.submit('SuspendInvestor', { investorId, standing: 'deactivated' }))
  const { answer } = await requestWithdrawal()
  expect(answer).toMatchObject({ outcome: 'refused', code: 'INVESTOR_NOT_ACTIVE' })
  expect(await readMoney()).toEqual({ available: 40_000n, held: 60_000n, pending: 60_000n })
  await requireRecorded(ledger.submit('ApproveWithdrawal', { transactionId: paid, ...approval }))
  await requireRecorded(ledger.submit('DeclineWithdrawal', { transactionId: declined, reason }))
  expect(await readMoney()).toEqual({ available: 70_000n, held: 0n, pending: 0n })
  expect(await readCode(ledger.submit('CloseInvestor', { investorId }))).toBe('INVESTOR_NOT_EMPTY')
})

test('a fee that changes after the request is not charged', async () => {
  const rules = { ...plainRules, withdrawalFeePpm: 10_000 }
  await requireRecorded(ledger.submit('SetMoneyRules', { rules }))
  const transactionId = await requestRecordedWithdrawal()
  await requireRecorded(
    ledger.submit('SetMoneyRules', { rules: { ...rules, withdrawalFeePpm: 100_000 } }),
  )
  await requireRecorded(ledger.submit('ApproveWithdrawal', { transactionId, ...approval }))
  const { totals } = await ledger.ask('trialBalance', { at: null })
  expect(totals).toMatchObject({ fees: 300n, cash: 29_700n, 'held:balance': 0n })
})

test('of an approval, a decline and a cancellation at once, one succeeds; a hundred times', async ({
  task,
}) => {
  await requireRecorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
  const won: number[] = []
  while (won.length < 100) {
    const held = await Promise.all(
      Array.from({ length: PENDING_MAX }, () => requestWithdrawal(1_000n)),
    )
    const begun = won.length
    const counts = held.map(async ({ transactionId }, index) => {
      const codes = await submitLateActions(transactionId, (begun + index) % 3)
      return codes.filter((code) => code === 'recorded').length
    })
    won.push(...(await Promise.all(counts)))
  }
  expect(won).toEqual(Array.from({ length: 100 }, () => 1))
  const after = await readMoney()
  // Every third request was paid out. All other requests were declined or cancelled.
  expect(after).toEqual({ available: 66_000n, held: 0n, pending: 0n })
  expect((await ledger.ask('check', {})).problems).toEqual([])
  recordFigure(task, '100 of 100 decided once')
})

test('sabotaged twin: a ledger that forgets the hold allows two requests for the same money', async () => {
  const forgetful: Model = {
    ...model,
    decide: (command, view, context) => {
      const decision = model.decide(command, view, context)
      const isHold = command.type === 'RequestWithdrawal' && 'postings' in decision
      return isHold ? { ...decision, postings: [] } : decision
    },
  }
  await ledger.close()
  ledger = await startTestLedger({ model: forgetful })
  investorId = await createFundedInvestor(ledger, { amountMinor: BALANCE_MINOR })
  for (let count = 0; count < 5; count += 1) await requestRecordedWithdrawal()
  const { held, pending } = await readMoney()
  expect(pending).toBeGreaterThan(BALANCE_MINOR)
  expect(held).not.toBe(pending)
})
