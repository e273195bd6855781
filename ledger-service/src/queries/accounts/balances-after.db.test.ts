import { ALL_TRANSACTIONS, account, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'

let ledger: TestLedger
let investorId: string
beforeAll(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
})
afterAll(() => ledger.close())

async function requestWithdrawal(amountMinor: bigint): Promise<string> {
  const transactionId = createId(Date.now())
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  const request = { transactionId, investorId, amountMinor, source: 'balance', ...bank } as const
  await requireRecorded(ledger.submit('RequestWithdrawal', request))
  return transactionId
}

async function fund(amountMinor: bigint): Promise<string> {
  const transactionId = createId(Date.now())
  const gift = { transactionId, investorId, amountMinor, category: null, reason: null }
  await requireRecorded(ledger.submit('FundWallet', { ...gift, wallet: 'balance' }))
  return transactionId
}

const approval = { paymentOptionId: null, payoutReference: null, bankAccountSha256: 'b'.repeat(64) }
const reversal = { paymentOptionId: null, reason: 'a mistake' }

async function readBalances(...transactionIds: string[]) {
  const { balances } = await ledger.ask('balancesAfter', {
    investorIds: [investorId],
    transactionIds,
  })
  return transactionIds.map(
    (id) => balances.find(({ transactionId }) => transactionId === id)?.balanceMinor ?? null,
  )
}

test('is the balance of the wallet after the amount moved, also if the decision came later', async () => {
  const first = await requestWithdrawal(10_000n)
  const second = await fund(500n)
  const waiting = await requestWithdrawal(3_000n)
  await requireRecorded(ledger.submit('ApproveWithdrawal', { transactionId: first, ...approval }))
  // The first request debited the wallet before the wallet was funded. The balance after this
  // request therefore does not include the funding.
  expect(await readBalances(first, second, waiting)).toEqual([90_000n, 90_500n, null])
  await requireRecorded(
    ledger.submit('DeclineWithdrawal', { transactionId: waiting, reason: null }),
  )
  expect(await readBalances(waiting)).toEqual([null])
  await fund(200n)
  // The reversal of the decline debits the wallet again, after the fundings. The balance after the
  // transaction now includes the fundings.
  await requireRecorded(
    ledger.submit('ReverseWithdrawal', { transactionId: waiting, to: 'success', ...reversal }),
  )
  expect(await readBalances(waiting)).toEqual([87_700n])
})

test('is taken after the approval of a deposit, and after the purchase of an investment', async () => {
  const transactionId = createId(Date.now())
  const method = { method: 'Bank Transfer', paymentOptionId: null }
  const receipt = { receiptId: 'receipt', receiptSha256: 'a'.repeat(64) }
  const request = { transactionId, investorId, amountMinor: 20_000n, ...method, ...receipt }
  await requireRecorded(ledger.submit('RequestDeposit', request))
  expect(await readBalances(transactionId)).toEqual([null])
  const options = { paymentOptionId: null, approvedMinor: 20_000n }
  await requireRecorded(ledger.submit('ApproveDeposit', { transactionId, ...options }))
  expect(await readBalances(transactionId)).toEqual([107_700n])
  const planId = createId(Date.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const opening = { investmentId: createId(Date.now()), investorId, planId, planVersion: null }
  await requireRecorded(ledger.submit('OpenInvestment', { ...opening, amountMinor: 10_000n }))
  const { transactions } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [investorId],
    status: 'success',
    type: 'transfer',
    purpose: 'purchase',
    limit: 1,
  })
  expect(await readBalances(transactions[0]?.transactionId ?? '')).toEqual([97_700n])
  const { balanceMinor } = await ledger.ask('balance', {
    account: account.getAvailableCode(investorId, 'balance'),
    at: null,
  })
  expect(balanceMinor).toBe(97_700n)
})

test('is not returned for transactions of other investors', async () => {
  const transactionIds = [await fund(100n)]
  const stranger = await createFundedInvestor(ledger, { amountMinor: 100n })
  const asked = { investorIds: [stranger], transactionIds }
  expect(await ledger.ask('balancesAfter', asked)).toEqual({ balances: [] })
})

test('is found with the primary key of the postings only', async () => {
  const [plan] = await ledger.runSql<{ 'QUERY PLAN': unknown }>(
    `explain (format json) select balance_after_minor from ledger.posting
     where ledger_id = 1 and account = 'investor:x:balance' and seq in (1, 2)
     order by seq desc, leg desc limit 1`,
  )
  expect(JSON.stringify(plan)).toContain('posting_pkey')
})
