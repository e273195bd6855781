import { type Answer, createId } from '@cairn/ledger-contracts'
import { afterEach, expect, test } from 'vitest'
import { fundWallet, listOutcomes, submitLinkedCommands } from '../../test/support/linked.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { type StoreSession, type Written, wrapSessions } from './store.ts'

let ledger: TestLedger
/** The operations of the writer on the database. */
const seen = { written: [] as Written[], heads: 0, lookups: 0 }
afterEach(() => ledger.close())

const watch = (session: StoreSession): StoreSession => ({
  ...session,
  takeHead: (nowMs) => {
    seen.heads += 1
    return session.takeHead(nowMs)
  },
  loadSettled: (hashes) => {
    seen.lookups += hashes.length
    return session.loadSettled(hashes)
  },
  append: async (move, rows) => {
    const written = await session.append(move, rows)
    seen.written.push(written)
    return written
  },
})

async function fund(investorId: string, key: string, transactionId = key): Promise<Answer> {
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  return ledger.submit('FundWallet', { ...gift, transactionId, investorId }, { key })
}

async function requestTooMuch(investorId: string, key: string): Promise<Answer> {
  const bank = { bankAccountId: 'account', bankAccountSha256: 'b'.repeat(64) }
  const wish = { transactionId: key, investorId, source: 'balance', amountMinor: 10_000n } as const
  return ledger.submit('RequestWithdrawal', { ...wish, ...bank }, { key })
}

const createKeys = (count: number) => Array.from({ length: count }, () => createId(Date.now()))

/**
 * Starts a ledger that has recorded and refused a command. Submits more commands than are looked up
 * after a start, so that the next keys are assumed new. A second ledger has written the first two
 * commands, so this ledger does not know their keys.
 */
async function startAssuming(wrapStore = wrapSessions(watch)) {
  const other = await startTestLedger()
  ledger = other
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const [recorded = '', refused = ''] = createKeys(2)
  const answers = [await fund(investorId, recorded), await requestTooMuch(investorId, refused)]
  await ledger.parts.stop()
  const next = await startTestLedger({ database: other.database, wrapStore })
  ledger = {
    ...next,
    close: async () => {
      await next.close()
      await other.close()
    },
  }
  await Promise.all(createKeys(2_500).map((key) => fund(investorId, key)))
  Object.assign(seen, { written: [], heads: 0, lookups: 0 })
  return { investorId, recorded, refused, answers }
}

test('new keys are not looked up, recent keys are', async () => {
  const { investorId } = await startAssuming()
  const [key = ''] = createKeys(1)
  const answer = await fund(investorId, key)
  expect(seen).toMatchObject({ written: ['written'], lookups: 0 })
  expect(await fund(investorId, key)).toEqual({ ...answer, isReplay: true })
  expect(seen).toMatchObject({ written: ['written'], lookups: 1 })
})

test('an old key in either batch gets its answer, and the other commands are recorded once', async () => {
  const { investorId, recorded, answers } = await startAssuming()
  const [first, second] = [createKeys(50), createKeys(50)]
  const before = Promise.all(first.map((key) => fund(investorId, key)))
  // Waits two turns of the event loop. The second batch is then decided while the first batch
  // commits.
  await new Promise((go) => setImmediate(() => setImmediate(go)))
  const mixed = [...second.slice(0, 25), recorded, ...second.slice(25)]
  const after = await Promise.all(mixed.map((key) => fund(investorId, key)))
  expect(listOutcomes([...(await before), ...after])).toEqual(Array(101).fill('recorded'))
  expect(after[25]).toEqual({ ...answers[0], isReplay: true })
  // The session was kept, and no search for a faulty command was made.
  expect(seen.heads).toBe(0)
  expect(seen.written.filter((written) => written === 'conflict')).toHaveLength(1)
  expect(seen.written.length).toBeLessThanOrEqual(6)
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.available.balance).toBe(2_601n * 100n)
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('the key of a refusal is refused again, also when the command could be recorded now', async () => {
  const { investorId, refused, answers } = await startAssuming()
  expect(await requestTooMuch(investorId, refused)).toEqual(answers[1])
  expect(seen.written).toEqual(['conflict'])
  expect(seen.heads).toBe(0)
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('a new key with the id of an old row is refused', async () => {
  const { investorId, recorded } = await startAssuming()
  const [key = ''] = createKeys(1)
  expect(await fund(investorId, key, recorded)).toMatchObject({ code: 'ID_ALREADY_USED' })
  expect(seen.written).toEqual(['conflict', 'written'])
})

test('linked commands with an old key are refused as a whole', async () => {
  const { investorId, recorded } = await startAssuming()
  const group = [recorded, ...createKeys(1)].map((key) => fundWallet(investorId, 1n, { key }))
  const answers = await submitLinkedCommands(ledger, group)
  expect(listOutcomes(answers)).toEqual(['KEY_REUSED', 'KEY_REUSED'])
  expect(seen.heads).toBe(0)
})

test('sabotaged twin: without lookups, a repeated command is reported as faulty', async () => {
  const blind = wrapSessions((session) => ({
    ...session,
    loadSettled: async () => ({ events: [], refusals: [] }),
  }))
  const { investorId, recorded } = await startAssuming(blind)
  expect(await fund(investorId, recorded)).toMatchObject({ outcome: 'failed', code: 'POISON' })
})
