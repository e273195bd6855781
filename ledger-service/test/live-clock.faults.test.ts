import { readUntilAnswered } from '@cairn/local/repeated-read'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccrualScene, startAccrualScene } from './support/accrual-scene.ts'
import { recordFigure } from './support/figure.ts'
import { HOUR_MS } from './support/test-ledger.ts'

// Start times: half an hour before a leap day, a daylight saving change in America, and the end of
// a year.
const STARTS = ['2028-02-28T23:30:00.000Z', '2028-03-12T06:30:00.000Z', '2028-12-31T23:30:00.000Z']
const EACH = 4
const HOURS = 48
const PROMISED_MINOR = 2_333n
const DAY_MS = 24 * HOUR_MS
const YEAR_ON_MS = Date.parse(STARTS.at(-1) ?? '') + 366 * DAY_MS
const RUN_MS_MAX = chooseTimeLimit(30_000)

interface Moment {
  ids: readonly string[]
  nowMs: number
}

let scene: AccrualScene
beforeAll(async () => {
  const [first = ''] = STARTS
  scene = await startAccrualScene({ investments: EACH, startsAtMs: Date.parse(first) })
})
afterAll(() => scene?.close())

test('T17 processes whose clock jumps while they run credit the exact profit once', async ({
  task,
}) => {
  const worker = await scene.startWorker()
  const ids = [...scene.investments]
  let jumps = 0
  for (const [index, start] of STARTS.entries()) {
    const startMs = Date.parse(start)
    if (index > 0) {
      await scene.setClock(startMs)
      ids.push(...(await scene.open(EACH)))
    }
    for (const aheadMs of [1.5 * HOUR_MS, 26.5 * HOUR_MS, 5.5 * DAY_MS]) {
      await scene.setClock(startMs + aheadMs)
      await expectClosedForm({ ids, nowMs: startMs + aheadMs })
      await expectNoNewEvents(startMs + aheadMs - 2 * HOUR_MS)
      jumps += 2
    }
  }
  await scene.setClock(YEAR_ON_MS)
  await expectClosedForm({ ids, nowMs: YEAR_ON_MS })
  worker.signal('SIGTERM')
  expect(await worker.waitUntilEnded()).toBe(0)

  for (const parts of (await scene.readCredits()).values()) {
    const reached = parts.map(({ units }) => units)
    expect(reached).toEqual([...new Set(reached)])
    expect(parts.reduce((sum, { profitMinor }) => sum + profitMinor, 0n)).toBe(PROMISED_MINOR)
  }
  expect((await readUntilAnswered(() => scene.service.client.ask('check', {}))).problems).toEqual(
    [],
  )
  recordFigure(task, `${ids.length} investments, ${jumps + 1} jumps of running processes, 0 differ`)
})

test('sabotaged twin: a worker whose clock does not jump credits nothing', async () => {
  const startMs = YEAR_ON_MS + DAY_MS
  await scene.setClock(startMs)
  const ids = await scene.open(EACH)
  const worker = await scene.startStoppedWorker()
  const nowMs = startMs + 1.5 * HOUR_MS
  await scene.setClock(nowMs)
  await runWorkerOnce()
  expect(await countDiffering({ ids, nowMs })).toBe(EACH)
  worker.signal('SIGTERM')
  expect(await worker.waitUntilEnded()).toBe(0)
})

/**
 * Counts the investments whose credited profit differs from the expected profit. The expected
 * profit is computed independently of the tested code: the promised profit times the ended hours,
 * divided by all hours, rounded down.
 */
async function countDiffering({ ids, nowMs }: Moment): Promise<number> {
  let differing = 0
  for (const investmentId of ids) {
    const { investment } = await scene.service.client.ask('investment', { investmentId })
    const startedAtMs = Date.parse(investment?.startedAt ?? '')
    const units = Math.min(HOURS, Math.floor((nowMs - startedAtMs) / HOUR_MS))
    if (investment?.creditedMinor !== (PROMISED_MINOR * BigInt(units)) / BigInt(HOURS))
      differing += 1
  }
  return differing
}

async function expectClosedForm(at: Moment): Promise<void> {
  await scene.requestRun()
  await expect.poll(() => countDiffering(at), { timeout: RUN_MS_MAX, interval: 100 }).toBe(0)
}

/**
 * Expects that nothing is recorded after the clock was set back. A closed month may be recorded,
 * because the worker also closes ended months every ten minutes.
 */
async function expectNoNewEvents(nowMs: number): Promise<void> {
  const isQuiet = async () => (await scene.listJobs()).every(({ state }) => state === 'completed')
  await expect.poll(isQuiet, { timeout: RUN_MS_MAX, interval: 50 }).toBe(true)
  await scene.setClock(nowMs)
  const before = await listEventsOfMoney()
  await scene.service.client.closeMonths()
  await runWorkerOnce()
  expect(await listEventsOfMoney()).toEqual(before)
}

async function listEventsOfMoney(): Promise<readonly string[]> {
  const { events } = await scene.service.client.events({ after: -1n, waitSeconds: 0, limit: 1_000 })
  return events
    .filter(({ type }) => type !== 'MonthClosed')
    .map(({ seq, type }) => `${seq} ${type}`)
}

async function runWorkerOnce(): Promise<void> {
  const countDone = async () =>
    (await scene.listJobs()).filter(({ state }) => state === 'completed').length
  const done = await countDone()
  await scene.requestRun()
  await expect.poll(countDone, { timeout: RUN_MS_MAX, interval: 50 }).toBeGreaterThan(done)
}
