import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { afterEach, expect, test } from 'vitest'
import {
  type AccrualScene,
  computeExpectedProfit,
  startAccrualScene,
} from './support/accrual-scene.ts'
import { type ChaosProxy, startChaosProxy } from './support/chaos-proxy.ts'
import { recordFigure } from './support/figure.ts'
import { createRemoteLedger } from './support/remote-ledger.ts'
import { createFundedInvestor, requireRecorded } from './support/test-ledger.ts'
import type { WorkerProcess } from './support/worker-process.ts'

/** The number of kills. The scorecard uses twelve kills, with 60 investments and ten hours. */
const KILLS = Number(process.env.TORTURE_WORKER_KILLS ?? 2)
const HOURS = KILLS > 3 ? 10 : 4
const INVESTMENTS = 60
/** The delay of each direction of the network while a worker is paused in mid-run. */
const PAUSED_LATE_MS = 2_000
/**
 * The delay of each direction while a job expires. An attempt has two answers and must end before it
 * expires. A paused worker fails if it waits ten seconds for an answer.
 */
const EXPIRING_LATE_MS = 600
const EXPIRE_SECONDS = 4
/**
 * This number of milliseconds after the start of its job, the worker waits for an answer, which
 * takes more than a second over these networks.
 */
const MID_ANSWER_MS = 100
/**
 * This number of milliseconds after the start of the job, the worker's request has arrived, but the
 * answer has not.
 */
const HALF_WAY_MS = 1.5 * EXPIRING_LATE_MS

let scene: AccrualScene
let proxy: ChaosProxy | null = null
afterEach(async () => {
  proxy?.close()
  await scene.close()
})

test('T15 two workers killed in mid-run credit every hour of every investment exactly once', async ({
  task,
}) => {
  scene = await startAccrualScene({ investments: INVESTMENTS })
  // The slow network makes each run so long that the test can kill the worker during the run.
  proxy = await startChaosProxy(scene.service)
  proxy.set('late')
  const slowly = `http://127.0.0.1:${proxy.port}`
  const start = () => scene.startWorker(slowly)
  const workers: WorkerProcess[] = await Promise.all([start(), start()])
  let kills = 0
  let inMidRun = 0
  for (let hour = 1; hour <= HOURS; hour += 1) {
    await scene.advanceHour()
    await scene.requestRun()
    for (; kills < (KILLS * hour) / HOURS; kills += 1) {
      if (await waitUntilActive(scene)) inMidRun += 1
      const [victim] = workers.splice(0, 1)
      victim?.signal('SIGKILL')
      await victim?.waitUntilEnded()
      workers.push(await start())
      await scene.requestRun()
    }
    await waitUntilCaughtUp(scene, hour)
  }
  for (const worker of workers) worker.signal('SIGTERM')
  expect(await Promise.all(workers.map((worker) => worker.waitUntilEnded()))).toEqual([0, 0])

  const credits = await scene.readCredits()
  expect(credits.size).toBe(INVESTMENTS)
  let effects = 0
  for (const parts of credits.values()) {
    const reached = parts.map(({ units }) => units)
    expect(new Set(reached).size).toBe(reached.length)
    expect(reached.at(-1)).toBe(HOURS)
    effects += HOURS
    const sum = parts.reduce((total, { profitMinor }) => total + profitMinor, 0n)
    expect(sum).toBe(computeExpectedProfit(HOURS))
  }
  expect(effects).toBe(INVESTMENTS * HOURS)
  expect(inMidRun).toBeGreaterThan(0)
  expect((await readUntilAnswered(() => scene.service.client.ask('check', {}))).problems).toEqual(
    [],
  )
  recordFigure(
    task,
    `${effects} of ${effects} periods once, ${kills} kill -9 (${inMidRun} in mid-run), 0 twice, 0 missing`,
  )
})

test('T16 a worker that is paused in mid-run while another does its work credits nothing twice', async ({
  task,
}) => {
  scene = await startAccrualScene({ investments: INVESTMENTS })
  proxy = await startChaosProxy(scene.service, { lateMs: PAUSED_LATE_MS })
  const slow = await scene.startWorker(`http://127.0.0.1:${proxy.port}`)
  // The other worker has started before the pause, which must be shorter than the ten seconds that
  // the slow worker waits for an answer.
  const other = await scene.startWorker()
  await pauseBetweenJobs(scene, other)
  proxy.set('late')
  await scene.advanceHour()
  await scene.requestRun()
  await expect.poll(() => hasActiveJob(scene)).toBe(true)
  // At this time, the worker has requested the due investments and waits for the answer.
  await delay(MID_ANSWER_MS)
  slow.signal('SIGSTOP')
  const zombies = (await scene.listJobs()).filter(({ state }) => state === 'active')
  expect(zombies).toHaveLength(1)

  other.signal('SIGCONT')
  await scene.requestRun()
  await waitUntilCaughtUp(scene, 1)
  await expect.poll(async () => (await scene.listJobs()).at(-1)?.state).toBe('completed')
  slow.signal('SIGCONT')
  const isQuiet = async () => (await scene.listJobs()).every(({ state }) => state !== 'active')
  await expect.poll(isQuiet).toBe(true)
  for (const worker of [slow, other]) worker.signal('SIGTERM')
  await Promise.all([slow.waitUntilEnded(), other.waitUntilEnded()])

  // The workers have their own schedule, so the paused run need not be the first one.
  const jobs = await scene.listJobs()
  const [first, second] = jobs.slice(jobs.findIndex(({ id }) => id === zombies[0]?.id))
  // The second run was within the first run: it started later and ended before the first run.
  expect(first?.startedAt?.getTime()).toBeLessThan(second?.startedAt?.getTime() ?? 0)
  expect(second?.completedAt?.getTime()).toBeLessThan(first?.completedAt?.getTime() ?? 0)
  const credits = await scene.readCredits()
  expect(credits.size).toBe(INVESTMENTS)
  for (const parts of credits.values()) {
    expect(parts).toEqual([{ units: 1, profitMinor: computeExpectedProfit(1) }])
  }
  recordFigure(task, `2 overlapping runs, ${credits.size} effects of ${INVESTMENTS} due`)
})

test('T16 a job that expires while its worker is paused is run by another, and the first continues it', async ({
  task,
}) => {
  scene = await startAccrualScene({ investments: INVESTMENTS })
  proxy = await startChaosProxy(scene.service, { lateMs: EXPIRING_LATE_MS })
  const slowly = `http://127.0.0.1:${proxy.port}`
  const [first, second] = [await scene.startWorker(slowly), await scene.startWorker(slowly)]
  await pauseBetweenJobs(scene, second)
  proxy.set('late')
  await scene.advanceHour()
  const runsBefore = await countCommandCalls(scene)
  await scene.requestRun({ expireInSeconds: EXPIRE_SECONDS })
  await expect.poll(() => hasActiveJob(scene)).toBe(true)
  await delay(MID_ANSWER_MS)
  first.signal('SIGSTOP')
  second.signal('SIGCONT')
  await delay(EXPIRE_SECONDS * 1_000)

  const isTakenAgain = async () => {
    const retried = (await scene.listJobs()).filter(({ retryCount }) => retryCount > 0)
    if (retried.some(({ state }) => state === 'completed')) {
      throw new Error('the second attempt ended before the first one continued')
    }
    return retried.some(({ state }) => state === 'active')
  }
  while (!(await isTakenAgain())) {
    await scene.supervise()
    await delay(20)
  }
  // The first worker continues while the second worker runs the same job.
  await delay(HALF_WAY_MS)
  first.signal('SIGCONT')
  // No further run is requested, so all counted commands are from these two attempts.
  await expect.poll(() => scene.countInvestmentsBehind(1)).toBe(0)
  const isQuiet = async () => (await scene.listJobs()).every(({ state }) => state !== 'active')
  await expect.poll(isQuiet).toBe(true)
  await expect
    .poll(async () => (await countCommandCalls(scene)) - runsBefore)
    .toBeGreaterThanOrEqual(2)
  for (const worker of [first, second]) worker.signal('SIGTERM')
  await Promise.all([first.waitUntilEnded(), second.waitUntilEnded()])

  const credits = await scene.readCredits()
  expect(credits.size).toBe(INVESTMENTS)
  for (const parts of credits.values()) {
    expect(parts).toEqual([{ units: 1, profitMinor: computeExpectedProfit(1) }])
  }
  expect((await readUntilAnswered(() => scene.service.client.ask('check', {}))).problems).toEqual(
    [],
  )
  recordFigure(
    task,
    `expired after ${EXPIRE_SECONDS} s, 2 overlapping attempts, ${credits.size} effects of ${INVESTMENTS} due`,
  )
})

test('sabotaged twin: a worker that pays from a list in memory pays twice when it is killed', async ({
  task,
}) => {
  scene = await startAccrualScene({ investments: 1 })
  const ledger = createRemoteLedger(scene.service.client)
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const list = Array.from({ length: 100 }, (_, place) => place)
  const killedAt = new Set([7, 50, 93])
  while (list.length > 0) {
    const gift = { wallet: 'profit', amountMinor: 1n, category: null, reason: null } as const
    await requireRecorded(
      ledger.submit('FundReserve', { transactionId: createId(0), amountMinor: 1n, note: null }),
    )
    const payment = { ...gift, transactionId: createId(Date.now()), investorId }
    await requireRecorded(ledger.submit('FundWallet', payment))
    // If the worker is killed here, the job is not completed and the next worker repeats this
    // payment.
    if (!killedAt.delete(list[0] ?? -1)) list.shift()
  }
  const { investors } = await scene.service.client.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.available.profit).toBe(103n)
  recordFigure(task, '103 paid of 100 due')
})

/** Returns the number of command requests that the ledger has answered. */
async function countCommandCalls({ service }: AccrualScene): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${service.port}/metrics`).then((answer) =>
    answer.text(),
  )
  const line =
    /^cairn_ledger_http_request_seconds_count\{path="\/v1\/commands",status="200"\} (\d+)$/m
  return Number(line.exec(text)?.[1] ?? 0)
}

/** Pauses the worker while no job waits or is active, also none of its own schedule. */
async function pauseBetweenJobs({ listJobs }: AccrualScene, worker: WorkerProcess): Promise<void> {
  for (;;) {
    worker.signal('SIGSTOP')
    if ((await listJobs()).every(({ state }) => state === 'completed')) return
    worker.signal('SIGCONT')
    await delay(50)
  }
}

async function hasActiveJob({ listJobs }: AccrualScene): Promise<boolean> {
  return (await listJobs()).some(({ state }) => state === 'active')
}

/** Returns false if no job is seen, because a job can start and end between two looks. */
async function waitUntilActive(scene: AccrualScene): Promise<boolean> {
  const deadline = performance.now() + 5_000
  while (performance.now() < deadline) {
    if (await hasActiveJob(scene)) return true
    await delay(5)
  }
  return false
}

async function waitUntilCaughtUp(
  { countInvestmentsBehind, requestRun }: AccrualScene,
  units: number,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while ((await countInvestmentsBehind(units)) > 0) {
    if (performance.now() > deadline) throw new Error(`still behind after hour ${units}`)
    await requestRun()
    await delay(100)
  }
}
