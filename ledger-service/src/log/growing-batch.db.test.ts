import { type Answer, createId } from '@cairn/ledger-contracts'
import { afterEach, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { wrapSessions } from './store.ts'

let ledger: TestLedger
/**
 * While this object is set, statements wait until the test ends them. `sizes` contains the sizes of
 * these statements, and `loads` counts the loads that happen while this object is set.
 */
let held: { sizes: number[]; loads: number; end(how: 'commit' | 'break off'): void } | null = null

const holding = wrapSessions((session) => ({
  ...session,
  loadSettled: async (hashes) => {
    const settled = await session.loadSettled(hashes)
    if (held !== null) held.loads += 1
    return settled
  },
  append: async (move, rows) => {
    const state = held
    if (state === null) return session.append(move, rows)
    state.sizes.push(Number(move.size - move.fromSize))
    if (state.sizes.length > 1) return session.append(move, rows)
    const how = await new Promise<'commit' | 'break off'>((resolve) => {
      state.end = resolve
    })
    if (how === 'commit') return session.append(move, rows)
    await session.close()
    throw new Error('the connection is lost')
  },
}))
afterEach(async () => {
  held?.end('commit')
  held = null
  await ledger.close()
})

function holdStatements() {
  const state = { sizes: [] as number[], loads: 0, end: (_how: 'commit' | 'break off') => {} }
  held = state
  return state
}

function fundWallet(investorId: string, amountMinor: bigint): Promise<Answer> {
  const gift = { wallet: 'balance', category: null, reason: null } as const
  const transactionId = createId(Date.now())
  const data = { ...gift, transactionId, investorId, amountMinor }
  return ledger.submit('FundWallet', data, { key: transactionId })
}

function requestWithdrawal(investorId: string, amountMinor: bigint): Promise<Answer> {
  const transactionId = createId(Date.now())
  const account = { bankAccountId: 'account', bankAccountSha256: 'b'.repeat(64) }
  const data = { ...account, transactionId, investorId, amountMinor, source: 'balance' } as const
  return ledger.submit('RequestWithdrawal', data, { key: transactionId })
}

test('commands that arrive during a commit are decided at once and form one batch', async () => {
  ledger = await startTestLedger({ wrapStore: holding })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const state = holdStatements()
  const answers = [fundWallet(investorId, 5_000n)]
  await expect.poll(() => state.sizes).toEqual([1])
  answers.push(requestWithdrawal(investorId, 3_000n))
  await expect.poll(() => state.loads).toBe(2)
  answers.push(requestWithdrawal(investorId, 2_000n))
  await expect.poll(() => state.loads).toBe(3)
  answers.push(requestWithdrawal(investorId, 2_000n))
  await expect.poll(() => state.loads).toBe(4)
  state.end('commit')
  const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['recorded', 'recorded', 'recorded', 'refused'])
  expect(state.sizes).toEqual([1, 2])
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('commands decided on top of a failed batch are decided again after it, once', async () => {
  ledger = await startTestLedger({ wrapStore: holding })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const state = holdStatements()
  const gift = fundWallet(investorId, 5_000n)
  await expect.poll(() => state.sizes).toEqual([1])
  const paid = requestWithdrawal(investorId, 5_000n)
  await expect.poll(() => state.loads).toBe(2)
  state.end('break off')
  const [given, asked] = await Promise.all([gift, paid])
  if (given.outcome !== 'recorded' || asked.outcome !== 'recorded') throw new Error('not recorded')
  expect(asked.event.seq).toBe(given.event.seq + 1n)
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.available.balance).toBe(0n)
  expect((await ledger.ask('check', {})).problems).toEqual([])
})
