import { type Answer, createId } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { expect, test } from 'vitest'
import { PENDING_MAX } from '../src/domain/transactions/request.ts'
import type { BatchStatement } from '../src/log/statement.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'
import { createUnfencedStatement } from './support/unfenced-statement.ts'

const PENDING = Number(process.env.TORTURE_PENDING ?? 150)
const AMOUNT = 10_000n

/** Approves and declines the same requests on two instances at the same time. */
async function decideAtOnce(requests: readonly string[], instances: readonly TestLedger[]) {
  return Promise.all(
    requests.map((transactionId) =>
      Promise.all(
        instances.flatMap((ledger, index) => {
          const envelope = { actor: `admin:${index}` }
          const approval = {
            transactionId,
            paymentOptionId: null,
            payoutReference: null,
            bankAccountSha256: 'b'.repeat(64),
          }
          const decline = { transactionId, reason: null }
          return [
            ledger.submit('ApproveWithdrawal', approval, envelope),
            ledger.submit('DeclineWithdrawal', decline, envelope),
          ]
        }),
      ),
    ),
  )
}

/**
 * Loads all requests into the memory of the instance. Both instances then have the requests in
 * memory as pending before they decide them.
 */
async function loadRequests(ledger: TestLedger, requests: readonly string[]): Promise<void> {
  const investorId = createId(Date.now())
  await Promise.all(
    requests.map(async (transactionId) => {
      const answer = await ledger.submit('CancelWithdrawal', { transactionId, investorId })
      expect(readCode(answer)).toBe('NOT_YOURS')
    }),
  )
}

async function decideOnTwoInstances(statement: BatchStatement | null) {
  const database = await createTestDatabase()
  const options = statement === null ? { database } : { database, statement }
  const first = await startTestLedger(options)
  const investorIds: string[] = []
  while (investorIds.length * PENDING_MAX < PENDING) {
    investorIds.push(
      await createFundedInvestor(first, { amountMinor: AMOUNT * BigInt(PENDING_MAX) }),
    )
  }
  const requests = Array.from({ length: PENDING }, () => createId(Date.now()))
  const bank = { source: 'balance', bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) } as const
  await Promise.all(
    requests.map((transactionId, index) => {
      const investorId = investorIds[index % investorIds.length] ?? ''
      const request = { ...bank, transactionId, investorId, amountMinor: AMOUNT }
      return requireRecorded(first.submit('RequestWithdrawal', request))
    }),
  )
  const second = await startTestLedger(options)
  await Promise.all([first, second].map((ledger) => loadRequests(ledger, requests)))
  const decisions = await decideAtOnce(requests, [first, second])
  const { investors } = await first.ask('investors', { investorIds })
  const { problems } = await first.ask('check', {})
  await Promise.all([first.close(), second.close()])
  await database.drop()
  const balanceMinor = investors.reduce((sum, { available }) => sum + available.balance, 0n)
  return { decisions, balanceMinor, problems }
}

test(`${PENDING} withdrawals, each approved and declined twice at once, are decided once`, async () => {
  const { decisions, balanceMinor, problems } = await decideOnTwoInstances(null)
  for (const answers of decisions) {
    expect(answers.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
    for (const answer of answers)
      expect(readCode(answer)).toMatch(/^(recorded|TRANSACTION_DECIDED)$/)
  }
  const approved = decisions.flat().filter(isApproval).length
  expect(balanceMinor).toBe(AMOUNT * BigInt(PENDING - approved))
  expect(problems).toEqual([])
})

test('sabotaged twin: without the fence, some requests are decided twice', async () => {
  const { decisions, problems } = await decideOnTwoInstances(createUnfencedStatement)
  const terminal = decisions.flat().filter(({ outcome }) => outcome === 'recorded')
  expect(terminal.length).toBeGreaterThan(PENDING)
  expect(problems).not.toEqual([])
})

function isApproval(answer: Answer): boolean {
  return answer.outcome === 'recorded' && answer.event.type === 'WithdrawalApproved'
}

function readCode(answer: Answer): string {
  return answer.outcome === 'recorded' ? answer.outcome : answer.code
}
