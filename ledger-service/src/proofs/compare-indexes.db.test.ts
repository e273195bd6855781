import { createId } from '@cairn/ledger-contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createFundedInvestor,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'

let ledger: TestLedger
let investorId: string
beforeEach(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 5_000n })
  for (let count = 0; count < 3; count += 1) await fund(createId(Date.now()))
})
afterEach(() => ledger.close())

function fund(transactionId: string) {
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  return ledger.submit('FundWallet', { ...gift, transactionId, investorId }, { key: transactionId })
}

/** Changes a flag of an index as a superuser. */
async function setFlag(index: string, flag: string, value: boolean): Promise<void> {
  await ledger.runSql(`set local allow_system_table_mods = on;
    update pg_index set ${flag} = ${value} where indexrelid = 'ledger.${index}'::regclass`)
}

const check = async () => (await ledger.ask('check', {})).problems

test('the indexes of an untouched ledger have all rows', async () => {
  expect(await check()).toEqual([])
})

/** Runs the change while the index gets no new rows. */
async function hideFrom(index: string, change: () => Promise<unknown>): Promise<void> {
  await setFlag(index, 'indisready', false)
  await change()
  await setFlag(index, 'indisready', true)
}

test.each(['transaction_by_time', 'transaction_by_investor', 'transaction_by_amount'])(
  'a row that is hidden from the index %s is detected',
  async (index) => {
    await hideFrom(index, () => fund(createId(Date.now())))
    expect(await check()).toContain(`the index ${index} has 4 of 5 rows of transaction`)
  },
)

test('a row that is hidden from a partial index is detected', async () => {
  await hideFrom('transaction_by_pending', () =>
    requireRecorded(
      ledger.submit('RequestWithdrawal', {
        transactionId: createId(Date.now()),
        investorId,
        source: 'balance',
        amountMinor: 2_000n,
        bankAccountId: 'b',
        bankAccountSha256: 'b'.repeat(64),
      }),
    ),
  )
  expect(await check()).toContain('the index transaction_by_pending has 0 of 1 rows of transaction')
})

test('a key that was used again because it was hidden is detected', async () => {
  const index = 'event_idempotency_hash_key'
  const planId = createId(Date.now())
  const definePlan = () =>
    requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }, { key: planId }))
  await hideFrom(index, definePlan)
  // The ledger does not find the key and records the plan again, as its next version.
  expect((await definePlan()).isReplay).toBe(false)
  expect(await check()).toEqual([`the index ${index} has 4 of 5 rows of event`])
  await setFlag(index, 'indisunique', false)
  await ledger.runSql(`reindex index ledger.${index}`)
  await setFlag(index, 'indisunique', true)
  expect(await check()).toEqual([`1 keys of the index ${index} are stored more than once`])
})
