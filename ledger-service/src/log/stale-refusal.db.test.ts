import { newId } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { expect, test } from 'vitest'
import { fundedInvestor, recorded, startTestLedger } from '../testing/test-ledger.ts'
import { changingSessions } from '../testing/wrapped-store.ts'
import type { Store } from './store.ts'

/** Asks a writer for more than it remembers somebody to have, after another one has funded them. */
async function askWhoLostTheHead(wrapStore: (store: Store) => Store) {
  const database = await createTestDatabase()
  const other = await startTestLedger({ database })
  const investorId = await fundedInvestor(other, { amountMinor: 10_000n })
  const ledger = await startTestLedger({ database, wrapStore })
  const withdraw = () =>
    ledger.submit('RequestWithdrawal', {
      ...{ transactionId: newId(Date.now()), investorId, source: 'balance' },
      ...{ amountMinor: 20_000n, bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) },
    })
  const before = await withdraw()
  const gift = { wallet: 'balance', amountMinor: 90_000n, category: null, reason: null } as const
  const transactionId = newId(Date.now())
  await recorded(other.submit('FundWallet', { ...gift, transactionId, investorId }))
  const after = await withdraw()
  await Promise.all([ledger.close(), other.close()])
  await database.drop()
  return { before: before.outcome, after: after.outcome }
}

test('nobody is refused by a writer that lost the head, though it has nothing to write', async () => {
  const asked = await askWhoLostTheHead((store) => store)
  expect(asked).toEqual({ before: 'refused', after: 'recorded' })
})

test('one that does not look whether it holds the head refuses, so the test can see it', async () => {
  const careless = changingSessions((session) => ({ ...session, holdsHead: async () => true }))
  const asked = await askWhoLostTheHead(careless)
  expect(asked).toEqual({ before: 'refused', after: 'refused' })
})
