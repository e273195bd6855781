import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chooseTimeLimit, JUDGES_TIMES } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { type ApiClient, logInAs } from './api-client.ts'
import { waitForMail } from './mailbox.ts'
import { type Platform, startPlatform } from './platform.ts'

/** The number of seconds for which connections are closed. The scorecard sets 60. */
const CUT_SECONDS = Number(process.env.TORTURE_CUT_SECONDS ?? 3)
const CUT_EVERY_MS = 2_000
const WELL_AGAIN_MS = chooseTimeLimit(5_000)
const EXIT_MS_MAX = chooseTimeLimit(10_000)
const RESTART_MS_MAX = chooseTimeLimit(20_000)
/**
 * The time limit for jobs that must end without a reassignment. It is shorter than the time after
 * which pg-boss gives the job of a killed process to a running worker.
 */
const FINISHED_MS_MAX = chooseTimeLimit(15_000)
/** The maximum time until pg-boss has given the job of a killed process to a running worker. */
const GIVEN_BACK_MS_MAX = chooseTimeLimit(60_000)
/** The proportion of calls that may be answered with 503 while the only ledger restarts. */
const AWAY_MAX = JUDGES_TIMES ? 0.01 : 0.2
const PARTS = ['gateway-worker', 'ledger-worker', 'ledger', 'gateway'] as const
type PartName = (typeof PARTS)[number]

let platform: Platform
let admin: ApiClient
let investorId: string

beforeAll(async () => {
  platform = await startPlatform()
  admin = await logInAs(platform.url, 'admin@cairn.example', 'cairn-demo-admin')
  const { body } = await admin.get('users')
  const users: { id: string; email: string }[] = body.data.users
  investorId = users.find(({ email }) => email === 'noah.adeyemi@cairn.example')?.id ?? ''
})
afterAll(() => platform?.remove())

async function readNote(name: string): Promise<string> {
  return readFile(join(platform.dataDir, 'run', name), 'utf8')
}

async function readPid(part: PartName): Promise<number> {
  const { pid } = JSON.parse(await readNote(`${part}.json`)) as { pid: number }
  return pid
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function isReady(): Promise<boolean> {
  return fetch(`${platform.url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/**
 * Waits until the platform is ready and returns the number of milliseconds. Throws after
 * `withinMs`.
 */
async function waitUntilReady(withinMs: number): Promise<number> {
  const began = performance.now()
  while (!(await isReady())) {
    if (performance.now() - began > withinMs) throw new Error(`not ready within ${withinMs} ms`)
    await delay(50)
  }
  return performance.now() - began
}

async function readBalance(): Promise<number> {
  const { body } = await admin.get('users')
  const users: { id: string; wallet: { balance: number }[] }[] = body.data.users
  const user = users.find(({ id }) => id === investorId)
  if (user === undefined) throw new Error('the demo investor was not found')
  const wallet = Array.isArray(user.wallet) ? user.wallet[0] : user.wallet
  return wallet?.balance ?? Number.NaN
}

/** Waits until all jobs that were started at or before `takenBefore` have ended. */
async function waitUntilSettled(takenBefore: string, withinMs: number): Promise<void> {
  const superuser = await openSuperuser()
  const held = `select count(*)::int as count from (
       select state::text, started_on from platform_jobs.job
       union all select state::text, started_on from ledger_jobs.job
     ) as job where state = 'active' and started_on <= $1`
  async function countActiveJobs(): Promise<number | undefined> {
    const { rows } = await superuser.query<{ count: number }>(held, [takenBefore])
    return rows[0]?.count
  }
  const settled = expect.poll(countActiveJobs, { timeout: withinMs, interval: 500 }).toBe(0)
  await settled.finally(() => superuser.end())
}

/**
 * Marks up to ten mail jobs as active, although no worker runs these jobs. A job is in this state
 * after the database has given it to a worker and the answer was lost.
 */
async function takeJobsWithoutWorker(superuser: pg.Client): Promise<number> {
  const { rowCount } = await superuser.query(
    `update platform_jobs.job set state = 'active', started_on = now(), heartbeat_on = now()
     where (name, id) in (
       select name, id from platform_jobs.job where name = 'mail.send' and state = 'created'
       order by created_on desc, id desc limit 10 for update skip locked
     )`,
  )
  return rowCount ?? 0
}

async function readDatabaseTime(superuser: pg.Client): Promise<string> {
  const { rows } = await superuser.query<{ now: string }>('select clock_timestamp()::text as now')
  return rows[0]?.now ?? ''
}

async function openSuperuser(): Promise<pg.Client> {
  const { owner } = JSON.parse(await readNote('database-addresses')) as { owner: string }
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  return client
}

interface Load {
  acknowledged: number
  refusedByNetwork: number
  statuses: Map<number, number>
}

/**
 * Makes payments of one dollar while `disturb` runs. Repeats each payment with the same key until
 * the payment is recorded.
 */
async function payDuringDisturbance(disturb: () => Promise<void>): Promise<Load> {
  const load: Load = { acknowledged: 0, refusedByNetwork: 0, statuses: new Map() }
  let isGoing = true
  async function pay(): Promise<void> {
    const key = randomUUID()
    const body = { wallet_type: 'balance', amount: '1.00', reason: 'load' }
    for (;;) {
      const path = `users/${investorId}/wallets`
      const answer = await admin
        .send('PATCH', path, body, { 'idempotency-key': key })
        .catch(() => null)
      if (answer === null) load.refusedByNetwork += 1
      else load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
      if (answer?.status === 200) break
      await delay(50)
    }
    load.acknowledged += 1
  }
  const clients = Array.from({ length: 4 }, async () => {
    while (isGoing) await pay()
  })
  await disturb().finally(() => {
    isGoing = false
  })
  await Promise.all(clients)
  return load
}

async function cutConnections(superuser: pg.Client): Promise<number> {
  const { rowCount } = await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return rowCount ?? 0
}

describe('T24 every connection to the database is cut every two seconds', () => {
  test('no process ends, all parts recover within five seconds, and the workers continue', async ({
    task,
  }) => {
    const before = await Promise.all(PARTS.map(readPid))
    const superuser = await openSuperuser()
    const walletBefore = await readBalance()
    let cut = 0
    const load = await payDuringDisturbance(async () => {
      const until = performance.now() + CUT_SECONDS * 1_000
      while (performance.now() < until) {
        cut += await cutConnections(superuser)
        await delay(CUT_EVERY_MS)
      }
      await expect.poll(() => takeJobsWithoutWorker(superuser)).toBeGreaterThan(0)
      cut += await cutConnections(superuser)
    })
    const lastCutAt = await readDatabaseTime(superuser)
    await superuser.end()
    const wellMs = await waitUntilReady(WELL_AGAIN_MS)
    expect(await Promise.all(PARTS.map(readPid))).toEqual(before)
    expect(before.every(isRunning)).toBe(true)
    expect(cut).toBeGreaterThan(CUT_SECONDS)
    expect(await readBalance()).toBeCloseTo(walletBefore + load.acknowledged, 2)

    await admin.send('POST', 'admin/templates/welcome/test')
    await waitForMail(platform.mailUrl, { to: 'admin@cairn.example', subject: /\[Test\] Welcome/ })
    // No worker runs these jobs any more. pg-boss must therefore give each job to a running worker.
    await waitUntilSettled(lastCutAt, GIVEN_BACK_MS_MAX)
    for (const part of PARTS) {
      const log = await readFile(join(platform.dataDir, 'logs', `${part}.log`), 'utf8')
      expect(log).not.toMatch(/unhandledRejection|UnhandledPromise|uncaughtException/)
    }
    recordFigure(
      task,
      `${cut} connections cut, 0 processes ended, ${load.acknowledged} payments once, well after ${Math.round(wellMs)} ms`,
    )
  })
})

describe('T58 each part is stopped and started again under load', () => {
  test('acknowledged payments remain, and each part stops within ten seconds and starts again', async ({
    task,
  }) => {
    await waitUntilReady(WELL_AGAIN_MS)
    const superuser = await openSuperuser()
    const walletBefore = await readBalance()
    const exitsMs: string[] = []
    const load = await payDuringDisturbance(async () => {
      for (const part of PARTS) {
        const pid = await readPid(part)
        const began = performance.now()
        process.kill(pid, 'SIGTERM')
        while (isRunning(pid)) {
          expect(performance.now() - began).toBeLessThan(EXIT_MS_MAX)
          await delay(10)
        }
        exitsMs.push(`${part} ${Math.round(performance.now() - began)} ms`)
        await waitUntilReady(RESTART_MS_MAX)
        await expect.poll(() => readPid(part)).not.toBe(pid)
      }
    })
    const loadEndedAt = await readDatabaseTime(superuser)
    await superuser.end()
    expect(await readBalance()).toBeCloseTo(walletBefore + load.acknowledged, 2)
    // While the only ledger restarts, each call either waits or is answered with 503. Any other
    // status is a bug.
    const unexpected = [...load.statuses.keys()].filter(
      (status) => ![200, 409, 503].includes(status),
    )
    expect(unexpected).toEqual([])
    expect((load.statuses.get(503) ?? 0) / load.acknowledged).toBeLessThanOrEqual(AWAY_MAX)
    await waitUntilSettled(loadEndedAt, FINISHED_MS_MAX)
    await admin.send('POST', 'admin/templates/lockout/test')
    await waitForMail(platform.mailUrl, { to: 'admin@cairn.example', subject: /\[Test\] Failed/ })
    const statuses = [...load.statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
    recordFigure(
      task,
      `${load.acknowledged} acknowledged, all there; ${statuses}; exits: ${exitsMs.join(', ')}`,
    )
  })
})
