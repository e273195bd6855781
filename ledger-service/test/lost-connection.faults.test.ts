import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { recordFigure } from './support/figure.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'
import { runTraffic } from './support/traffic.ts'
import { FORGETFUL, takingSilenceForCommit } from './support/wrapped-store.ts'

const COMMANDS = Number(process.env.TORTURE_COMMANDS ?? 1_500)
const IN_FLIGHT = 200
const ROUNDS_MAX = 20
const CUTS_MIN = Number(process.env.TORTURE_CONNECTION_CUTS ?? 8)

/**
 * Submits commands while the writer's connection is repeatedly closed, at least `cutsMin` times.
 */
async function fundDuringDisconnections(ledger: TestLedger, cutsMin: number) {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const state = { isRunning: true, cuts: 0 }

  async function disconnectInLoop(): Promise<void> {
    while (state.isRunning) {
      await delay(60)
      const killed = await ledger.runSql<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'ledger-1'
           and state = 'active' and query like '%ledger.head%'`,
      )
      if (killed.length > 0) state.cuts += 1
    }
  }

  const cutting = disconnectInLoop()
  const answered = { recorded: 0, others: 0 }
  for (let round = 0; state.cuts < cutsMin && round < ROUNDS_MAX; round += 1) {
    const { recorded, ...others } = await runTraffic(
      { count: COMMANDS, inFlight: IN_FLIGHT },
      // The commands have no idempotency key, so only the writer can prevent duplicates.
      () =>
        ledger.submit('FundWallet', {
          transactionId: createId(ledger.clock.now()),
          investorId,
          wallet: 'balance',
          amountMinor: 100n,
          category: null,
          reason: null,
        }),
    )
    answered.recorded += recorded
    answered.others += others.refused + others.failed + others.unknown
  }
  state.isRunning = false
  await cutting
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  const stored = Number((investors[0]?.available.balance ?? 0n) / 100n)
  const { problems } = await ledger.ask('check', {})
  return { ...answered, stored, cuts: state.cuts, problems }
}

test('connections closed during commits: every command is answered, and recorded once', async ({
  task,
}) => {
  const ledger = await startTestLedger()
  const run = await fundDuringDisconnections(ledger, CUTS_MIN)
  expect(run.cuts).toBeGreaterThanOrEqual(CUTS_MIN)
  expect(run).toMatchObject({ others: 0, stored: run.recorded, problems: [] })
  recordFigure(task, `${run.recorded} commands, ${run.cuts} cuts, 0 unanswered or twice`)
  await ledger.close()
})

test('sabotaged twin: a writer that treats a lost connection as a commit loses commands', async ({
  task,
}) => {
  const ledger = await startTestLedger({
    wrapStore: takingSilenceForCommit,
    answered: FORGETFUL,
  })
  const { recorded, stored } = await fundDuringDisconnections(ledger, 1)
  expect(stored).toBeLessThan(recorded)
  recordFigure(task, `${recorded - stored} of ${recorded} lost`)
  await ledger.close()
})
