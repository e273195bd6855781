import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import { ALL_EVENTS } from '../explorer/events.ts'
import { selectOuterSeqs } from './transaction-seqs.ts'

const HASH = 'b'.repeat(64)
const reason = 'test'

let ledger: TestLedger
let investorId: string
beforeAll(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
})
afterAll(() => ledger.close())

const submit: TestLedger['submit'] = (...command) => requireRecorded(ledger.submit(...command))

async function requestDeposit(): Promise<string> {
  const transactionId = createId(ledger.clock.now())
  await submit('RequestDeposit', {
    transactionId,
    investorId,
    amountMinor: 5_000n,
    method: 'Bank Transfer',
    paymentOptionId: null,
    receiptId: transactionId,
    receiptSha256: HASH,
  })
  return transactionId
}

async function requestWithdrawal(): Promise<string> {
  const transactionId = createId(ledger.clock.now())
  const bank = { source: 'balance', bankAccountId: 'b', bankAccountSha256: HASH } as const
  await submit('RequestWithdrawal', { ...bank, transactionId, investorId, amountMinor: 3_000n })
  return transactionId
}

/** Returns the types of the events that each search finds, oldest first. */
async function search(transactionId: string) {
  const { transaction } = await ledger.ask('transaction', { transactionId })
  if (transaction === null) throw new Error('the ledger has no such transaction')
  const list = async (filter: object) => {
    const { events } = await ledger.ask('events', { ...ALL_EVENTS, ...filter })
    return events.toReversed()
  }
  const { events } = await ledger.ask('transactionEvents', { transactionId })
  const ofInvestor = await list({ investorId })
  const listTypes = (found: readonly { type: string }[]) => found.map(({ type }) => type)
  return {
    byId: listTypes(events),
    byReference: listTypes(await list({ reference: transaction.reference })),
    byInvestor: listTypes(ofInvestor.filter(({ data }) => data.transactionId === transactionId)),
  }
}

const expectEverywhere = async (transactionId: string, types: string[]) =>
  expect(await search(transactionId)).toEqual({
    byId: types,
    byReference: types,
    byInvestor: types,
  })

test('a deposit is found with its approval and each reversal', async () => {
  const transactionId = await requestDeposit()
  const place = { transactionId, paymentOptionId: null }
  const other = await requestDeposit()
  await submit('ApproveDeposit', { ...place, approvedMinor: 5_000n })
  await submit('ReverseDeposit', { ...place, to: 'declined', reason })
  await submit('ApproveDeposit', {
    transactionId: other,
    paymentOptionId: null,
    approvedMinor: 5_000n,
  })
  await submit('ReverseDeposit', { ...place, to: 'success', reason })
  await expectEverywhere(transactionId, [
    'DepositRequested',
    'DepositApproved',
    'DepositReversed',
    'DepositReversed',
  ])
  await expectEverywhere(other, ['DepositRequested', 'DepositApproved'])
})

test('a deposit that was declined and then approved is found with its decline', async () => {
  const transactionId = await requestDeposit()
  await submit('DeclineDeposit', { transactionId, reason })
  await submit('ReverseDeposit', { transactionId, paymentOptionId: null, to: 'success', reason })
  await expectEverywhere(transactionId, ['DepositRequested', 'DepositDeclined', 'DepositReversed'])
})

test('a withdrawal is found with its hold and its decisions', async () => {
  const transactionId = await requestWithdrawal()
  await submit('HoldWithdrawal', { transactionId, reason })
  await submit('DeclineWithdrawal', { transactionId, reason })
  await submit('ReverseWithdrawal', { transactionId, paymentOptionId: null, to: 'success', reason })
  await expectEverywhere(transactionId, [
    'WithdrawalRequested',
    'WithdrawalHeld',
    'WithdrawalDeclined',
    'WithdrawalReversed',
  ])
})

test('decisions without postings are found with their index', async () => {
  // With few events, the server would choose any index.
  const fundings = Array.from({ length: 500 }, () =>
    submit('FundWallet', {
      transactionId: createId(ledger.clock.now()),
      investorId,
      wallet: 'balance',
      amountMinor: 1n,
      category: null,
      reason: null,
    }),
  )
  await Promise.all(fundings)
  await ledger.runSql('analyze ledger.event')
  const found = selectOuterSeqs("investor_id = 'x'").replaceAll('$1', '1')
  const [plan] = await ledger.runSql<{ 'QUERY PLAN': unknown }>(`explain (format json) ${found}`)
  const text = JSON.stringify(plan)
  expect(text).toContain('"Index Name":"event_without_postings"')
  expect(text).toMatch(/"Index Cond":"[^}]*substring[^}]*transaction_id/)
  expect(text).not.toContain('event_pkey')
})
