import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createId, createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CrashablePostgres,
  startCrashablePostgres,
} from '../../ledger-service/test/support/crashable-postgres.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { createServices, type Services } from './service-processes.ts'

/** The number of times that the database server is stopped. The scorecard sets ten. */
const STOPS = Number(process.env.TORTURE_DATABASE_STOPS ?? 1)
/** The number of seconds for which connections are closed. The scorecard sets 60. */
const CUT_SECONDS = Number(process.env.TORTURE_CUT_SECONDS ?? 3)
const CUT_EVERY_MS = 2_000
const ABSENT_MS = 3_000
const WELL_MS_MAX = chooseTimeLimit(5_000)
const WORKERS_MS_MAX = chooseTimeLimit(20_000)
const AMOUNT_MINOR = 100n
const command = { actor: 'system:test', requestId: null, effectiveAt: null } as const

let postgres: CrashablePostgres
let services: Services
let ledger: LedgerClient
let investorId: string

const listProcesses = () => [...services.ledgers, ...services.gateways, ...services.workers]

beforeAll(async () => {
  postgres = await startCrashablePostgres()
  services = await createServices(postgres.database, { instances: 1 })
  ledger = createLedgerClient({ url: services.ledgers[0]?.url ?? '', token: services.token })
})
afterAll(async () => {
  await services?.remove()
  await postgres?.drop()
})

/**
 * Waits until all processes report that they are healthy, which needs the database. Returns the
 * number of milliseconds.
 */
async function waitUntilHealthy(): Promise<number> {
  const began = performance.now()
  for (const one of listProcesses()) {
    while (!(await fetch(`${one.url}/healthz`).catch(() => null))?.ok) {
      if (performance.now() - began > 4 * WELL_MS_MAX) throw new Error(`${one.name} is not healthy`)
      await delay(20)
    }
  }
  return performance.now() - began
}

function expectAllRunning(): void {
  for (const one of listProcesses()) expect([one.name, one.isRunning()]).toEqual([one.name, true])
}

/** Closes all client connections every two seconds. Returns the number of closed connections. */
async function cutConnections(): Promise<number> {
  const client = new pg.Client({ connectionString: postgres.database.url })
  await client.connect()
  let cut = 0
  for (let second = 0; second < CUT_SECONDS; second += CUT_EVERY_MS / 1_000) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    cut += rowCount ?? 0
    await delay(CUT_EVERY_MS)
  }
  await client.end()
  return cut
}

/** Expects that both workers complete a job that starts after this call. */
async function expectWorkers(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.database.url })
  await client.connect()
  const { rows: clocks } = await client.query<{ now: Date }>('select now()')
  const [worker] = services.workers
  const asked = await fetch(`${worker?.url}/v1/jobs/retry`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${services.gatewayToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ queue: 'accruals.accrue-due' }),
  })
  expect(asked.status).toBe(200)
  await attemptPayment(createId(Date.now()))
  for (const queue of ['ledger_jobs', 'platform_jobs']) {
    const findCompletedJobs = () =>
      client.query(`select from ${queue}.job where state = 'completed' and completed_on > $1`, [
        clocks[0]?.now,
      ])
    await expect
      .poll(async () => (await findCompletedJobs()).rowCount, {
        timeout: WORKERS_MS_MAX,
        interval: 100,
      })
      .toBeGreaterThan(0)
  }
  await client.end()
}

async function attemptPayment(transactionId: string): Promise<boolean> {
  const gift = {
    wallet: 'balance',
    amountMinor: AMOUNT_MINOR,
    category: null,
    reason: null,
  } as const
  const data = { ...gift, transactionId, investorId }
  const answer = await ledger
    .submit({ type: 'FundWallet', data, key: transactionId, ...command })
    .catch(() => null)
  if (answer?.outcome === 'refused') throw new Error(answer.message)
  return answer?.outcome === 'recorded'
}

/**
 * Makes payments one after another while `disturb` runs. Repeats each payment with the same key
 * until the payment is recorded.
 */
async function payDuringDisturbance(disturb: () => Promise<void>): Promise<number> {
  const state = { isGoing: true, paid: 0 }
  const paying = (async () => {
    while (state.isGoing) {
      const transactionId = createId(Date.now())
      while (!(await attemptPayment(transactionId))) await delay(50)
      state.paid += 1
    }
  })()
  await disturb().finally(() => {
    state.isGoing = false
  })
  await paying
  return state.paid
}

describe('T24 the database is unavailable', () => {
  test('at boot and under load: no process ends, all parts recover, and the workers continue', async ({
    task,
  }) => {
    await postgres.stop()
    const starting = Promise.all(listProcesses().map((one) => one.start()))
    await delay(ABSENT_MS)
    expectAllRunning()
    await postgres.start()
    await starting
    const bootMs = await waitUntilHealthy()

    investorId = createId(Date.now())
    const data = { investorId, referrerId: null }
    await ledger.submit({ type: 'ActivateInvestor', data, key: null, ...command })
    await expectWorkers()
    const before = (await ledger.ask('head', { size: null })).size
    let wellMs = bootMs
    let cut = 0
    const paid = await payDuringDisturbance(async () => {
      cut = await cutConnections()
      wellMs = Math.max(wellMs, await waitUntilHealthy())
      for (let stop = 0; stop < STOPS; stop += 1) {
        await delay(1_000)
        await postgres.stop()
        await delay(ABSENT_MS)
        await postgres.start()
        wellMs = Math.max(wellMs, await waitUntilHealthy())
      }
    })
    expect(cut).toBeGreaterThan(CUT_SECONDS)
    expect(wellMs).toBeLessThan(WELL_MS_MAX)
    expect((await ledger.ask('head', { size: null })).size - before).toBe(BigInt(paid))
    await expectWorkers()
    expectAllRunning()
    expect((await ledger.ask('check', {})).problems).toEqual([])
    // Node prints one of these words for an error that no code handles.
    const complaints = listProcesses().map((one) => one.readErrorOutput())
    expect(complaints.join('')).not.toMatch(/unhandled|uncaught/i)
    recordFigure(
      task,
      `absent at boot, ${cut} connections cut, stopped ${STOPS} times: 0 of ${listProcesses().length} processes ended, ${paid} payments once, well ${Math.round(wellMs)} ms after`,
    )
  })

  test('sabotaged twin: a process whose pool ignores errors ends', async () => {
    const program = `import pg from 'pg'
      const pool = new pg.Pool({ connectionString: process.env.URL })
      await pool.query('select 1')
      process.stdout.write('idle')
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, URL: postgres.database.url },
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    await postgres.stop()
    const [exitCode] = await ended
    await postgres.start()
    expect(exitCode).toBe(1)
  })
})
