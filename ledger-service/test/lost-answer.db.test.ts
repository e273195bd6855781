import { createId } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import type { NewestAnswered } from '../src/log/answered.ts'
import { type StoreSession, wrapSessions } from '../src/log/store.ts'
import { recordFigure } from './support/figure.ts'
import { createFundedInvestor, startTestLedger } from './support/test-ledger.ts'
import { runTraffic } from './support/traffic.ts'
import { FORGETFUL } from './support/wrapped-store.ts'

/** The number of connections that the test closes. `npm run torture` closes more connections. */
const CUTS = Number(process.env.TORTURE_CUTS ?? 12)
const COMMITTED_SHARE_MIN = 0.3

/**
 * Closes the connection at every second statement, alternately before the statement is sent and
 * between its commit and its answer.
 */
function cutConnections(state: { cuts: number; committed: number; batches: number }) {
  return (session: StoreSession): StoreSession => ({
    ...session,
    append: async (move, rows) => {
      state.batches += 1
      const isCut = state.cuts < CUTS && state.batches % 2 === 0
      if (!isCut) return session.append(move, rows)
      state.cuts += 1
      if (state.cuts % 2 === 0) {
        await session.append(move, rows)
        state.committed += 1
      }
      await session.close()
      throw new Error('the connection is lost')
    },
  })
}

async function fundThroughCuts(
  change: (session: StoreSession) => StoreSession,
  answered: NewestAnswered = { event: null },
) {
  const state = { cuts: 0, committed: 0, batches: 0 }
  const cut = cutConnections(state)
  const wrapStore = wrapSessions((session) => change(cut(session)))
  const ledger = await startTestLedger({ wrapStore, answered })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const total = { recorded: 0, refused: 0, failed: 0, unknown: 0 }
  while (state.cuts < CUTS) {
    // The commands have no idempotency key, so only the writer can prevent duplicates.
    const outcomes = await runTraffic({ count: 200, inFlight: 10 }, () =>
      ledger.submit('FundWallet', { ...gift, transactionId: createId(Date.now()), investorId }),
    )
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += outcomes[name]
  }
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  const { problems } = await ledger.ask('check', {})
  await ledger.close()
  return { ...state, total, balanceMinor: investors[0]?.available.balance ?? 0n, problems }
}

test(`${CUTS} answers lost around the commit: no command recorded twice or lost`, async ({
  task,
}) => {
  const { cuts, committed, total, balanceMinor, problems } = await fundThroughCuts((one) => one)
  expect(cuts).toBe(CUTS)
  expect(committed / cuts).toBeGreaterThanOrEqual(COMMITTED_SHARE_MIN)
  expect(total).toEqual({ ...total, refused: 0, failed: 0, unknown: 0 })
  expect(balanceMinor).toBe(BigInt(total.recorded) * 100n)
  expect(problems).toEqual([])
  recordFigure(task, `0 wrong of ${cuts} cuts, ${committed} of which had committed`)
})

test('sabotaged twin: a writer that treats every lost answer as a failure reports recorded commands as failed', async () => {
  const hideLeaf = (session: StoreSession) => ({ ...session, findLeaf: async () => null })
  const { total, balanceMinor } = await fundThroughCuts(hideLeaf, FORGETFUL)
  expect(total.refused).toBeGreaterThan(0)
  expect(balanceMinor).not.toBe(BigInt(total.recorded) * 100n)
})

test('a writer that is stopped while the outcome of a commit is unknown answers, and ends', async () => {
  const state: { stop?: () => Promise<void>; stopped?: Promise<void> } = {}
  const loseAnswer = (session: StoreSession): StoreSession => ({
    ...session,
    append: async (move, rows) => {
      const outcome = await session.append(move, rows)
      if (state.stop === undefined) return outcome
      state.stopped = state.stop()
      await session.close()
      throw new Error('the connection is lost')
    },
  })
  const ledger = await startTestLedger({ wrapStore: wrapSessions(loseAnswer) })
  const data = { transactionId: createId(Date.now()), amountMinor: 100n, note: null }
  state.stop = () => ledger.parts.stop()
  expect(await ledger.submit('FundReserve', data)).toMatchObject({ outcome: 'recorded' })
  await state.stopped
  await ledger.close()
})
