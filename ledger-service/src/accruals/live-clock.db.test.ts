import { expect, test } from 'vitest'
import { type AccrualScene, startAccrualScene } from '../testing/accrual-scene.ts'
import { noteFigure } from '../testing/figure.ts'
import { HOUR_MS } from '../testing/test-ledger.ts'

// Half an hour before the leap day, a change of daylight saving in America, and the end of a year.
const STARTS = ['2028-02-28T23:30:00.000Z', '2028-03-12T06:30:00.000Z', '2028-12-31T23:30:00.000Z']
const EACH = 4
const HOURS = 48
const PROMISED_MINOR = 2_333n
const DAY_MS = 24 * HOUR_MS
const RUN_MS_MAX = 30_000

test('T17 processes whose clock jumps while they run credit the closed form and nothing twice', {
  timeout: 180_000,
}, async ({ task }) => {
  const [first = ''] = STARTS
  const scene = await startAccrualScene({ investments: EACH, startsAtMs: Date.parse(first) })
  try {
    const worker = await scene.startWorker()
    const ids = [...scene.investments]
    let jumps = 0
    for (const start of STARTS) {
      const startMs = Date.parse(start)
      if (start !== first) {
        await scene.setClock(startMs)
        ids.push(...(await scene.open(EACH)))
      }
      for (const aheadMs of [1.5 * HOUR_MS, 26.5 * HOUR_MS, 5.5 * DAY_MS]) {
        await scene.setClock(startMs + aheadMs)
        await expectClosedForm(scene, { ids, nowMs: startMs + aheadMs })
        await expectNothingNew(scene, startMs + aheadMs - 2 * HOUR_MS)
        jumps += 2
      }
    }
    const yearOnMs = Date.parse(STARTS.at(-1) ?? '') + 366 * DAY_MS
    await scene.setClock(yearOnMs)
    await expectClosedForm(scene, { ids, nowMs: yearOnMs })
    worker.signal('SIGTERM')
    expect(await worker.ended()).toBe(0)

    for (const parts of (await scene.credits()).values()) {
      const reached = parts.map(({ units }) => units)
      expect(reached).toEqual([...new Set(reached)])
      expect(parts.reduce((sum, { profitMinor }) => sum + profitMinor, 0n)).toBe(PROMISED_MINOR)
    }
    expect((await scene.service.client.ask('check', {})).problems).toEqual([])
    noteFigure(task, `${ids.length} investments, ${jumps + 1} jumps of running processes, 0 differ`)
  } finally {
    await scene.close()
  }
})

/** Not through the code under test: whole hours ended, the promise in equal parts, cut to the cent. */
async function countDiffering(
  { service }: AccrualScene,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<number> {
  let differing = 0
  for (const investmentId of ids) {
    const { investment } = await service.client.ask('investment', { investmentId })
    const startedAtMs = Date.parse(investment?.startedAt ?? '')
    const units = Math.min(HOURS, Math.floor((nowMs - startedAtMs) / HOUR_MS))
    if (investment?.creditedMinor !== (PROMISED_MINOR * BigInt(units)) / BigInt(HOURS))
      differing += 1
  }
  return differing
}

async function expectClosedForm(
  scene: AccrualScene,
  at: { ids: readonly string[]; nowMs: number },
): Promise<void> {
  await scene.askForRun()
  await expect.poll(() => countDiffering(scene, at), { timeout: RUN_MS_MAX, interval: 100 }).toBe(0)
}

/** A clock that went back neither credits nor takes back. */
async function expectNothingNew(scene: AccrualScene, nowMs: number): Promise<void> {
  const countDone = async () =>
    (await scene.jobs()).filter(({ state }) => state === 'completed').length
  const isQuiet = async () => (await scene.jobs()).every(({ state }) => state === 'completed')
  await expect.poll(isQuiet, { timeout: RUN_MS_MAX, interval: 50 }).toBe(true)
  await scene.setClock(nowMs)
  const { size } = await scene.service.client.ask('head', { size: null })
  const done = await countDone()
  await scene.askForRun()
  await expect.poll(countDone, { timeout: RUN_MS_MAX, interval: 50 }).toBeGreaterThan(done)
  expect((await scene.service.client.ask('head', { size: null })).size).toBe(size)
}
