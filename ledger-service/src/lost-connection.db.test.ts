import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { fundedInvestor, startTestLedger } from './testing/test-ledger.ts'
import { runTraffic } from './testing/traffic.ts'

const COMMANDS = 4_000
const CUTS_MIN = 20

test('connections cut in mid-commit: every command is answered, and recorded once', async () => {
  const ledger = await startTestLedger()
  const investorId = await fundedInvestor(ledger, { amountMinor: 0n })
  const state = { isRunning: true, cuts: 0 }

  async function cut(): Promise<void> {
    while (state.isRunning) {
      await delay(60)
      const killed = await ledger.sql<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'ledger-1'
           and state = 'active' and query like '%ledger.head%'`,
      )
      if (killed.length > 0) state.cuts += 1
    }
  }

  const cutting = cut()
  let outcomes = { recorded: 0, refused: 0, failed: 0, unknown: 0 }
  let rounds = 0
  while (state.cuts < CUTS_MIN && rounds < 20) {
    rounds += 1
    outcomes = await runTraffic({ count: COMMANDS, inFlight: 200 }, () =>
      // No key: that nothing is recorded twice is the writer's own doing.
      ledger.submit('FundWallet', {
        transactionId: newId(ledger.clock.now()),
        investorId,
        wallet: 'balance',
        amountMinor: 100n,
        category: null,
        reason: null,
      }),
    )
    expect(outcomes).toEqual({ recorded: COMMANDS, refused: 0, failed: 0, unknown: 0 })
  }
  state.isRunning = false
  await cutting

  expect(state.cuts).toBeGreaterThanOrEqual(CUTS_MIN)
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.available.balance).toBe(BigInt(rounds * COMMANDS) * 100n)
  expect((await ledger.ask('check', {})).problems).toEqual([])
  await ledger.close()
}, 120_000)
