import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { startForgetfulLedger } from './support/forgetful-ledger.ts'
import { fundUnderLoad } from './support/funding-load.ts'
import { startTestLedger, type TestLedger } from './support/test-ledger.ts'

/** The number of failures of the disk. `npm run torture` sets it to 20. */
const ROUNDS = Number(process.env.TORTURE_ROUNDS ?? 2)
const ANSWERED_PER_ROUND = 300
const MANY_WRITES = 25
/** With `synchronous_commit` off, only one process writes, five times a second. */
const FEW_WRITES = 10
const WRITE_US = 500_000
/** Long enough for a busy machine. */
const PANIC_MS_MAX = 120_000

const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0

let postgres: CrashablePostgres
let ledger: TestLedger
let failures: ChildProcess
afterEach(async () => {
  if (!canTrace) return
  await stopFailing()
  await ledger.close()
  await postgres.drop()
})

/**
 * Lets every nth write to the disk fail, in each process that the server has or starts. The write
 * takes half a second before it fails. A server that does not wait for it answers commands during
 * this time, and loses them.
 */
function failWrites(nth: number): ChildProcess {
  const failing = `inject=fdatasync:error=EIO:delay_enter=${WRITE_US}:when=${nth}+${nth}`
  const pids = postgres.listPids().flatMap((pid) => ['-p', String(pid)])
  const args = ['-f', '-qq', '-o', '/dev/null', ...pids]
  return spawn('strace', [...args, '-e', 'trace=fdatasync', '-e', failing], { stdio: 'ignore' })
}

async function stopFailing(): Promise<void> {
  if (failures.exitCode !== null || failures.signalCode !== null) return
  failures.kill()
  await once(failures, 'exit')
}

/** Waits until PostgreSQL has stopped its processes because of a failed write. */
async function waitForPanic(): Promise<void> {
  const before = postgres.countPanics()
  for (let ms = 0; postgres.countPanics() === before; ms += 20) {
    if (ms > PANIC_MS_MAX) throw new Error('no write failed')
    await delay(20)
  }
}

// The test needs strace and the right to trace a process of another user.
describe.skipIf(!canTrace)('a disk that fails to write', () => {
  test(`${ROUNDS} times under load loses nothing acknowledged`, async ({ task }) => {
    postgres = await startCrashablePostgres()
    ledger = await startTestLedger({ database: postgres.database })
    failures = failWrites(MANY_WRITES)
    const run = await fundUnderLoad(ledger, {
      rounds: ROUNDS,
      answeredPerRound: ANSWERED_PER_ROUND,
      disturb: waitForPanic,
      settle: stopFailing,
    })
    expect(run).toMatchObject({ lost: 0, problems: [], stored: run.acknowledged })
    recordFigure(task, `0 of ${run.acknowledged} lost, ${postgres.countPanics()} failed writes`)
  })

  test('sabotaged twin: with synchronous_commit off, commands are lost', async ({ task }) => {
    postgres = await startCrashablePostgres({ settings: { synchronous_commit: 'off' } })
    ledger = await startForgetfulLedger(postgres.database)
    failures = failWrites(FEW_WRITES)
    const run = await fundUnderLoad(ledger, {
      rounds: 1,
      answeredPerRound: ANSWERED_PER_ROUND,
      disturb: waitForPanic,
      settle: stopFailing,
    })
    expect(run.lost).toBeGreaterThan(0)
    recordFigure(task, `${run.lost} of ${run.acknowledged} lost`)
  })
})
