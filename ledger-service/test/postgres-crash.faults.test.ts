import { afterEach, expect, test } from 'vitest'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { startForgetfulLedger } from './support/forgetful-ledger.ts'
import { fundUnderLoad } from './support/funding-load.ts'
import { startTestLedger, type TestLedger } from './support/test-ledger.ts'

/** The number of crashes. `npm run torture` sets it to 20. */
const ROUNDS = Number(process.env.TORTURE_ROUNDS ?? 3)
const FEW_ROUNDS = 2
const ANSWERED_PER_ROUND = Number(process.env.TORTURE_ACKNOWLEDGED ?? 1_500) / 2

let postgres: CrashablePostgres
let ledger: TestLedger
afterEach(async () => {
  await ledger.close()
  await postgres.drop()
})

test(`PostgreSQL killed ${ROUNDS} times under load loses nothing acknowledged`, async ({
  task,
}) => {
  postgres = await startCrashablePostgres()
  ledger = await startTestLedger({ database: postgres.database })
  const run = await fundUnderLoad(ledger, {
    rounds: ROUNDS,
    answeredPerRound: ANSWERED_PER_ROUND,
    disturb: async () => {
      await postgres.crash()
      await postgres.start()
    },
  })
  expect(run).toMatchObject({ lost: 0, problems: [], stored: run.acknowledged })
  expect(run.acknowledged).toBeGreaterThanOrEqual(ROUNDS * ANSWERED_PER_ROUND)
  recordFigure(task, `0 of ${run.acknowledged} lost, ${ROUNDS} kills`)
})

test('sabotaged twin: with synchronous_commit off, commands are lost', async ({ task }) => {
  postgres = await startCrashablePostgres({ settings: { synchronous_commit: 'off' } })
  ledger = await startForgetfulLedger(postgres.database)
  const run = await fundUnderLoad(ledger, {
    rounds: FEW_ROUNDS,
    answeredPerRound: ANSWERED_PER_ROUND,
    disturb: async () => {
      await postgres.crash()
      await postgres.start()
    },
  })
  expect(run.lost).toBeGreaterThan(0)
  recordFigure(task, `${run.lost} of ${run.acknowledged} lost`)
})

test('PostgreSQL restarted under load only interrupts the service', async () => {
  postgres = await startCrashablePostgres()
  ledger = await startTestLedger({ database: postgres.database })
  const run = await fundUnderLoad(ledger, {
    rounds: FEW_ROUNDS,
    answeredPerRound: ANSWERED_PER_ROUND,
    disturb: async () => {
      await postgres.stop()
      await postgres.start()
    },
  })
  expect(run).toMatchObject({ lost: 0, problems: [], stored: run.acknowledged })
})
