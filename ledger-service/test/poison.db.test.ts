import { type Answer, type Command, createId } from '@cairn/ledger-contracts'
import { afterEach, expect, test } from 'vitest'
import { model } from '../src/domain/model.ts'
import { transactionTable } from '../src/domain/transactions/transaction.ts'
import type { Model } from '../src/log/model.ts'
import { RefusedData, type StoreSession, wrapSessions } from '../src/log/store.ts'
import { fundWallet, listOutcomes, submitLinkedCommands } from './support/linked.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'

const COMMANDS = 480
const POISON = 20
/**
 * Values of the field `reason` of a command. Each value triggers one planted bug: a row that
 * PostgreSQL rejects, a number that cannot be encoded, or an exception.
 */
const BAD_DATA = 'bad data'
const TOO_LARGE = 'too large'
const THROWS = 'throws'
const NEEDS_THROW = 'its needs throw'

/** The model of the product with four planted bugs. */
const buggy: Model = {
  ...model,
  needs: (command, cache) => {
    if (hasReason(command, NEEDS_THROW)) throw new Error(NEEDS_THROW)
    return model.needs(command, cache)
  },
  decide: (command, view, context) => {
    if (hasReason(command, THROWS)) throw new Error(THROWS)
    return model.decide(command, view, context)
  },
  evolve: (event, view) => {
    model.evolve(event, view)
    const { fact } = event
    if (fact.type !== 'WalletFunded') return
    const row = view.find(transactionTable, fact.data.transactionId)
    if (row === null) return
    const { reason } = fact.data
    if (reason === BAD_DATA) view.put(transactionTable, { ...row, feeMinor: -1n })
    if (reason === TOO_LARGE) view.put(transactionTable, { ...row, requestedMinor: 2n ** 63n })
  },
}

function hasReason(command: Command, reason: string): boolean {
  return command.type === 'FundWallet' && command.data.reason === reason
}

let ledger: TestLedger
const seen = { appends: 0 }
const countAppends = (session: StoreSession): StoreSession => ({
  ...session,
  append: (move, rows) => {
    seen.appends += 1
    return session.append(move, rows)
  },
})
afterEach(() => ledger.close())

function fund(investorId: string, reason: string | null, key: string | null): Promise<Answer> {
  const gift = { wallet: 'balance', amountMinor: 100n, category: null } as const
  const transactionId = key ?? createId(Date.now())
  return ledger.submit('FundWallet', { ...gift, transactionId, investorId, reason }, { key })
}

/**
 * Submits valid commands and `poison` faulty commands concurrently. The faulty commands are evenly
 * spread.
 */
async function fundAmongFaultyCommands(investorId: string, poison: number, reason: string) {
  const every = Math.floor((COMMANDS + poison) / poison)
  const asked = Array.from({ length: COMMANDS + poison }, (_, index) =>
    index % every === 0 && index / every < poison ? reason : null,
  )
  const keys = asked.map(() => createId(Date.now()))
  const answers = await Promise.all(
    asked.map((why, index) => fund(investorId, why, keys[index] ?? null)),
  )
  return asked.map((why, index) => ({ why, key: keys[index] ?? '', answer: answers[index] }))
}

test.each([
  [1, BAD_DATA],
  [POISON, BAD_DATA],
  [1, TOO_LARGE],
  [POISON, TOO_LARGE],
  [1, THROWS],
  [POISON, THROWS],
  [1, NEEDS_THROW],
  [POISON, NEEDS_THROW],
])('%i faulty commands (%s) fail, and no other command', async (poison, reason) => {
  // The clock does not advance, because commands would otherwise expire in the queue on a busy
  // machine.
  const now = Date.now()
  const wrapStore = wrapSessions(countAppends)
  ledger = await startTestLedger({ model: buggy, wrapStore, now: () => now })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const results = await fundAmongFaultyCommands(investorId, poison, reason)
  for (const { why, answer } of results) {
    if (why === null) expect(answer).toMatchObject({ outcome: 'recorded' })
    else expect(answer).toMatchObject({ outcome: 'failed', code: 'POISON' })
  }
  expect(results.filter(({ why }) => why !== null)).toHaveLength(poison)
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  const recorded = BigInt(results.length - poison)
  expect(investors[0]?.available.balance).toBe(recorded * 100n)
  expect((await ledger.ask('check', {})).problems).toEqual([])

  const appends = seen.appends
  const culprit = results.find(({ why }) => why !== null)
  const again = await fund(investorId, reason, culprit?.key ?? '')
  expect(again).toEqual(culprit?.answer)
  expect(seen.appends).toBe(appends)
})

test.each([BAD_DATA, TOO_LARGE, THROWS, NEEDS_THROW])(
  'a faulty command (%s) fails all its linked commands, and no other command',
  async (reason) => {
    const now = Date.now()
    ledger = await startTestLedger({ model: buggy, now: () => now })
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const createGroup = (name: string, why: string | null) =>
      [1n, 2n, 3n].map((amountMinor) => {
        const command = fundWallet(investorId, amountMinor, { key: `${name}-${amountMinor}` })
        const isFaulty = command.type === 'FundWallet' && amountMinor === 2n
        return isFaulty ? { ...command, data: { ...command.data, reason: why } } : command
      })
    const bad = createGroup('bad', reason)
    const [before, answers, after, good] = await Promise.all([
      fund(investorId, null, createId(now)),
      submitLinkedCommands(ledger, bad),
      fund(investorId, null, createId(now)),
      submitLinkedCommands(ledger, createGroup('good', null)),
    ])
    expect(listOutcomes(answers)).toEqual(Array(3).fill('POISON'))
    expect(listOutcomes([before, after, ...good])).toEqual(Array(5).fill('recorded'))
    expect(listOutcomes(await submitLinkedCommands(ledger, bad))).toEqual(Array(3).fill('POISON'))
    expect((await ledger.ask('check', {})).problems).toEqual([])
  },
)

test('sabotaged twin: a writer that treats bad data as a lost connection retries forever', async () => {
  const state = { isWeak: true, tries: 0 }
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: (move, rows) =>
      session.append(move, rows).catch((error) => {
        state.tries += 1
        throw state.isWeak && error instanceof RefusedData ? new Error('lost') : error
      }),
  }))
  ledger = await startTestLedger({ model: buggy, wrapStore })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const answering = fundAmongFaultyCommands(investorId, 1, BAD_DATA)
  await expect.poll(() => state.tries).toBeGreaterThan(2)
  expect(await Promise.race([answering, Promise.resolve('no answer')])).toBe('no answer')
  state.isWeak = false
  await answering
})

test('one key a hundred times in one batch is one event; without a key it is a hundred', async () => {
  ledger = await startTestLedger()
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const key = createId(Date.now())
  const answers = await Promise.all(Array.from({ length: 100 }, () => fund(investorId, null, key)))
  const first = answers.filter((answer) => answer.outcome === 'recorded' && !answer.isReplay)
  expect(first).toHaveLength(1)
  for (const answer of answers) expect({ ...answer, isReplay: false }).toEqual(first[0])
  const other = await ledger.submit(
    'FundReserve',
    { transactionId: createId(Date.now()), amountMinor: 1n, note: null },
    { key },
  )
  expect(other).toMatchObject({ outcome: 'refused', code: 'KEY_REUSED' })

  await Promise.all(Array.from({ length: 100 }, () => fund(investorId, null, null)))
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.available.balance).toBe(101n * 100n)
})
