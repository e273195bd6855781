import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  formatReference,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fund, record } from '../../../testing/further-ledger.ts'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { LINES_MAX, type MonthActivity, readMonthActivity } from './month-activity.ts'

const SHA = 'a'.repeat(64)
const COMMANDS_PER_CALL = 500
/** The fees of the deposit of 100.00 and of the withdrawal of 20.00. */
const [DEPOSIT_FEE, WITHDRAWAL_FEE] = [500n, 40n]

let gateway: TestGateway
let investorId: string
let depositId: string
let withdrawalId: string
let months: readonly MonthActivity[]

const readSize = async () => (await gateway.ledger.ask('head', { size: null })).size

/** Reverses the decision about the deposit. */
function reverseDeposit(to: 'success' | 'declined'): Promise<void> {
  const data = { transactionId: depositId, to, paymentOptionId: null, reason: 'a reason' }
  return record(gateway.ledger.unrecorded, 'ReverseDeposit', data)
}

beforeAll(async () => {
  gateway = await startTestGateway()
  investorId = await addUser(gateway, { role: 'user', status: 'active' })
  const ledger = gateway.ledger.unrecorded
  const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  const fees = { depositFeePpm: 50_000, withdrawalFeePpm: 20_000 }
  await record(ledger, 'SetMoneyRules', { rules: { ...rules, ...fees } })
  ;[depositId, withdrawalId] = [createId(Date.now()), createId(Date.now())]

  const ends = [await readSize()]
  const endMonth = async () => void ends.push(await readSize())
  await fund(ledger, { investorId, amountMinor: 50_000n })
  const payment = { method: 'Bank Transfer', paymentOptionId: null, receiptId: 'r' }
  const deposit = { ...payment, transactionId: depositId, investorId, receiptSha256: SHA }
  await record(ledger, 'RequestDeposit', { ...deposit, amountMinor: 10_000n })
  const approval = { transactionId: depositId, paymentOptionId: null, approvedMinor: 10_000n }
  await record(ledger, 'ApproveDeposit', approval)
  const bank = { bankAccountId: 'b', bankAccountSha256: SHA }
  const withdrawal = { ...bank, transactionId: withdrawalId, investorId, amountMinor: 2_000n }
  await record(ledger, 'RequestWithdrawal', { ...withdrawal, source: 'balance' })
  await endMonth()

  await reverseDeposit('declined')
  await reverseDeposit('success')
  const payout = { transactionId: withdrawalId, paymentOptionId: null, payoutReference: null }
  await record(ledger, 'ApproveWithdrawal', { ...payout, bankAccountSha256: SHA })
  await endMonth()

  await reverseDeposit('declined')
  await endMonth()

  // All months are read at the end, as by a job that is late.
  const spans = ends.slice(1).map((to, place) => ({ from: ends[place] ?? 0n, to }))
  months = await Promise.all(
    spans.map((span) => readMonthActivity(gateway.ledger, { investorId, span })),
  )
})
afterAll(() => gateway?.stop())

/** Returns the references of the movements of the type, in all accounts. */
function listReferences({ accounts, references }: MonthActivity, type: string) {
  const lines = accounts.flatMap((account) => account.lines.filter((line) => line.type === type))
  return lines.map(({ seq }) => references.get(seq))
}

describe('a month that is read after its transactions have changed again', () => {
  test('has the fees that were taken in it, less those that were returned', () => {
    expect(months.map(({ feesMinor }) => feesMinor)).toEqual([
      DEPOSIT_FEE,
      -DEPOSIT_FEE + DEPOSIT_FEE + WITHDRAWAL_FEE,
      -DEPOSIT_FEE,
    ])
  })

  test('has a reference for each movement of a request', () => {
    const [deposit, withdrawal] = [formatReference(depositId), formatReference(withdrawalId)]
    const [first, second, third] = months
    if (first === undefined || second === undefined || third === undefined) throw new Error()
    expect(listReferences(first, 'DepositApproved')).toEqual([deposit])
    // The amount leaves the wallet and is held.
    expect(listReferences(first, 'WithdrawalRequested')).toEqual([withdrawal, withdrawal])
    expect(listReferences(second, 'DepositReversed')).toEqual([deposit, deposit])
    expect(listReferences(second, 'WithdrawalApproved')).toEqual([withdrawal, withdrawal])
    expect(listReferences(third, 'DepositReversed')).toEqual([deposit])
  })
})

/** Requests a withdrawal of 20.00 and cancels it, many times. */
async function requestAndCancel(owner: string, times: number): Promise<void> {
  const commands = Array.from({ length: times }).flatMap(() => {
    const request = { transactionId: createId(Date.now()), investorId: owner }
    const bank = { bankAccountId: 'b', bankAccountSha256: SHA, source: 'balance' as const }
    return [
      toCommand('RequestWithdrawal', { ...bank, ...request, amountMinor: 2_000n }),
      toCommand('CancelWithdrawal', request),
    ]
  })
  for (let start = 0; start < commands.length; start += COMMANDS_PER_CALL) {
    const part = commands.slice(start, start + COMMANDS_PER_CALL)
    const answers = await gateway.ledger.unrecorded.submitMany(part)
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['recorded']))
  }
}

function toCommand<Type extends CommandType>(type: Type, data: DataOf<Type>): Command {
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  // The cast is safe because type and data are given as a pair.
  return { type, data, ...rest } as unknown as Command
}

test('a month with thousands of requests has its newest movements, after a few calls', async () => {
  const owner = await addUser(gateway, { role: 'user', status: 'active' })
  const from = await readSize()
  await fund(gateway.ledger.unrecorded, { investorId: owner, amountMinor: 50_000n })
  await requestAndCancel(owner, 1_100)
  const span = { from, to: await readSize() }
  const asked: string[] = []
  const ask: LedgerClient['ask'] = (name, request) => {
    asked.push(name)
    return gateway.ledger.ask(name, request)
  }
  const ledger = { ...gateway.ledger, ask }
  const whole = await readMonthActivity(ledger, { investorId: owner, span })
  const [balance] = whole.accounts
  expect(balance).toMatchObject({ openingMinor: 0n, closingMinor: 50_000n, hasOlderLines: true })
  expect(balance?.lines).toHaveLength(LINES_MAX)
  expect(balance?.lines.at(-1)?.balanceAfterMinor).toBe(50_000n)
  const references = balance?.lines.map(({ seq }) => whole.references.get(seq)) ?? []
  expect(references.every((reference) => reference !== undefined)).toBe(true)
  expect(asked).not.toContain('transactionEvents')
  expect(asked.length).toBeLessThan(30)

  // A month that begins after the deposit has the same closing and another opening balance.
  const later = { from: from + 1n, to: span.to }
  const [rest] = (await readMonthActivity(ledger, { investorId: owner, span: later })).accounts
  expect(rest).toMatchObject({ openingMinor: 50_000n, closingMinor: 50_000n, hasOlderLines: true })
})
