import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { expect, test } from 'vitest'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
} from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { transactionTable } from '../domain/transactions/transaction.ts'
import type { Model } from './model.ts'
import { type Store, wrapSessions } from './store.ts'

/**
 * Requests a withdrawal from the first writer, before and after a second writer funds the wallet.
 * The amount exceeds only the balance before the funding. Returns both outcomes.
 */
async function requestAfterLostHead(wrapStore: (store: Store) => Store) {
  const database = await createTestDatabase()
  const other = await startTestLedger({ database })
  const investorId = await createFundedInvestor(other, { amountMinor: 10_000n })
  const ledger = await startTestLedger({ database, wrapStore })
  const withdraw = () =>
    ledger.submit('RequestWithdrawal', {
      transactionId: createId(Date.now()),
      investorId,
      source: 'balance',
      amountMinor: 20_000n,
      bankAccountId: 'bank',
      bankAccountSha256: 'b'.repeat(64),
    })
  const before = await withdraw()
  const gift = { wallet: 'balance', amountMinor: 90_000n, category: null, reason: null } as const
  const transactionId = createId(Date.now())
  await requireRecorded(other.submit('FundWallet', { ...gift, transactionId, investorId }))
  const after = await withdraw()
  await Promise.all([ledger.close(), other.close()])
  await database.drop()
  return { before: before.outcome, after: after.outcome }
}

test('a writer that lost the head refuses no command, also without anything to write', async () => {
  const asked = await requestAfterLostHead((store) => store)
  expect(asked).toEqual({ before: 'refused', after: 'recorded' })
})

test('sabotaged twin: a writer that does not check the head refuses', async () => {
  const careless = wrapSessions((session) => ({ ...session, holdsHead: async () => true }))
  const asked = await requestAfterLostHead(careless)
  expect(asked).toEqual({ before: 'refused', after: 'refused' })
})

const stumbling: Model = {
  ...model,
  decide: (command, view, context) => {
    if (command.type === 'FundReserve') throw new Error('a bug')
    return model.decide(command, view, context)
  },
}

const needless: Model = {
  ...model,
  needs: (command, cache) => {
    if (command.type === 'FundReserve') throw new Error('a bug')
    return model.needs(command, cache)
  },
}

/** A model that writes an amount that is out of range for its column. */
const unsendable: Model = {
  ...model,
  evolve: (event, view) => {
    model.evolve(event, view)
    if (event.fact.type !== 'ReserveFunded') return
    const row = view.find(transactionTable, event.fact.data.transactionId)
    if (row !== null) view.put(transactionTable, { ...row, requestedMinor: 2n ** 63n })
  },
}

/**
 * Submits commands alternately to two writers. The first writer cannot process the commands; the
 * second writer can.
 */
async function submitToFailingWriter(buggyModel: Model, wrapStore: (store: Store) => Store) {
  const database = await createTestDatabase()
  const buggy = await startTestLedger({ database, wrapStore, model: buggyModel })
  const fixed = await startTestLedger({ database })
  const [first, second] = [createId(Date.now()), createId(Date.now())]
  const outcomes: string[] = []
  for (const [ledger, key] of [
    [buggy, first],
    [fixed, first],
    [buggy, first],
    [fixed, second],
    [buggy, second],
  ] as const) {
    const gift = { transactionId: key, amountMinor: 100n, note: null }
    outcomes.push((await ledger.submit('FundReserve', gift, { key })).outcome)
  }
  await Promise.all([buggy.close(), fixed.close()])
  await database.drop()
  return outcomes
}

test.each([
  ['cannot decide', stumbling],
  ['cannot load', needless],
  ['cannot send', unsendable],
])(
  'a command that a writer %s does not fail after another writer recorded it',
  async (_bug, buggy) => {
    const asked = await submitToFailingWriter(buggy, (store) => store)
    expect(asked).toEqual(['failed', 'recorded', 'recorded', 'recorded', 'recorded'])
  },
)

test('sabotaged twin: a writer that does not check the head reports the failure', async () => {
  // Simulates a lookup that does not find the idempotency keys which the second writer has added.
  const loadSettled = async () => ({ events: [], refusals: [] })
  const wrapStore = wrapSessions((session) => ({
    ...session,
    holdsHead: async () => true,
    loadSettled,
  }))
  const asked = await submitToFailingWriter(unsendable, wrapStore)
  expect(asked).toEqual(['failed', 'recorded', 'failed', 'recorded', 'failed'])
})
