import { type Answer, type Command, createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { wrapSessions } from '../../test/support/wrapped-store.ts'
import { model } from '../domain/model.ts'
import { createKeyFilteringStore } from './key-filter.ts'
import type { Store } from './store.ts'

/**
 * This number of commands is large enough that the events and the refusals each need more than one
 * page.
 */
const COMMANDS = 4_500
const TOGETHER = 500

let database: TestDatabase
const open: TestLedger[] = []
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const ledger of open.splice(0)) await ledger.close()
  await database.drop()
})

async function startLedger(
  wrapStore: (store: Store) => Store = (store) => store,
): Promise<TestLedger> {
  const ledger = await startTestLedger({ database, wrapStore })
  open.push(ledger)
  return ledger
}

/**
 * Starts a ledger with a filter of this size. Records the keys and the rows that the ledger looks
 * up.
 */
async function startFiltering(roomMin: number) {
  const asked: (Buffer | string)[] = []
  const counting = wrapSessions((session) => ({
    ...session,
    loadRows: (table, keys) => {
      asked.push(...keys)
      return session.loadRows(table, keys)
    },
    loadSettled: (hashes) => {
      asked.push(...hashes)
      return session.loadSettled(hashes)
    },
  }))
  const ledger = await startLedger((store) =>
    createKeyFilteringStore(counting(store), { ...model, roomMin }),
  )
  return { ledger, asked }
}

/** Builds commands, half of which request more than the balance. */
function createCommands(investorId: string): Command[] {
  return Array.from({ length: COMMANDS * 2 }, (_, index) => {
    const transactionId = createId(Date.now())
    const envelope = {
      actor: 'system:test',
      key: transactionId,
      requestId: null,
      effectiveAt: null,
    }
    if (index % 2 === 0)
      return { type: 'FundWallet', data: createFunding(transactionId, investorId), ...envelope }
    const account = { bankAccountId: 'account', bankAccountSha256: 'b'.repeat(64) }
    const wish = { transactionId, investorId, source: 'balance', amountMinor: 10n ** 12n } as const
    return { type: 'RequestWithdrawal', data: { ...wish, ...account }, ...envelope }
  })
}

function createFunding(transactionId: string, investorId: string) {
  const amountMinor = 1n
  return {
    transactionId,
    investorId,
    amountMinor,
    wallet: 'balance',
    category: null,
    reason: null,
  } as const
}

async function submitAll(ledger: TestLedger, all: readonly Command[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < all.length; at += TOGETHER) {
    const given = await ledger.parts.writer.submit(all.slice(at, at + TOGETHER), 'bulk')
    answers.push(...(given ?? []))
  }
  return answers
}

async function fundWallet(ledger: TestLedger, investorId: string, key = createId(Date.now())) {
  return ledger.submit('FundWallet', createFunding(createId(Date.now()), investorId), { key })
}

async function waitUntilFilterIsComplete(
  { ledger, asked }: { ledger: TestLedger; asked: (Buffer | string)[] },
  investorId: string,
): Promise<void> {
  const countLookUps = async () => {
    asked.length = 0
    await fundWallet(ledger, investorId)
    return asked.length
  }
  await expect.poll(countLookUps).toBe(0)
}

test.each([2 ** 20, 64])(
  'with room for %i keys, used ones are looked up and no others',
  async (room) => {
    const writer = await startLedger()
    const investorId = await createFundedInvestor(writer, { amountMinor: 0n })
    const all = createCommands(investorId)
    const answers = await submitAll(writer, all)
    await open.pop()?.close()

    const filtering = await startFiltering(room)
    await waitUntilFilterIsComplete(filtering, investorId)
    const again = await submitAll(filtering.ledger, all)
    const replayed = answers.map((answer) => {
      return answer.outcome === 'recorded' ? { ...answer, isReplay: true } : answer
    })
    expect(again).toEqual(replayed)
    expect(answers.filter(({ outcome }) => outcome === 'refused')).toHaveLength(COMMANDS)
    expect(filtering.asked.length).toBeGreaterThanOrEqual(all.length)

    const gifts = all.filter(({ type }) => type === 'FundWallet')
    const underNewKeys = gifts.map((command) => ({ ...command, key: createId(Date.now()) }))
    for (const answer of await submitAll(filtering.ledger, underNewKeys)) {
      expect(answer).toMatchObject({ outcome: 'refused', code: 'ID_ALREADY_USED' })
    }
  },
)

test('a key that another writer used in the meantime is found with its answer', async () => {
  const other = await startLedger()
  const investorId = await createFundedInvestor(other, { amountMinor: 0n })
  const filtering = await startFiltering(2 ** 20)
  await waitUntilFilterIsComplete(filtering, investorId)

  const key = createId(Date.now())
  const command = createFunding(createId(Date.now()), investorId)
  const answer = await other.submit('FundWallet', command, { key })
  expect(answer).toMatchObject({ outcome: 'recorded', isReplay: false })
  const again = await filtering.ledger.submit('FundWallet', command, { key })
  expect(again).toEqual({ ...answer, isReplay: true })
  // The ledger has filled the filter again, so it no longer looks up new keys in the database.
  await waitUntilFilterIsComplete(filtering, investorId)
})
