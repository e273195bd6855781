import { setTimeout as delay } from 'node:timers/promises'
import { JUDGES_TIMES, PATIENCE_MS } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSeededRandom } from '../../ledger-service/test/simulation/random.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { runUnderLoad } from './load.ts'
import { causeFault } from './nemesis.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'

/** The duration of the soak. The scorecard sets two minutes, `npm run torture` an hour. */
const SECONDS = Number(process.env.TORTURE_SOAK_SECONDS ?? 6)
const FAULT_PAUSE_MS = JUDGES_TIMES ? 10_000 : 1_000
const SEED = Number(process.env.TORTURE_SOAK_SEED ?? 59)
const CLIENTS = 6
const GROWTH_MAX = 0.1
/** The time for the faults, for starts on a busy machine and for the checks after them. */
const TIMEOUT_MS = SECONDS * 1_000 + 5 * PATIENCE_MS
/** In a shorter soak, the memory still grows to its usual size. */
const LONG_SECONDS = 1_800

interface Sample {
  /** Resident bytes of the first instances of ledger and gateway. */
  memory: number
  /** The open files of these processes. */
  files: number
}

let pair: PairedServices
beforeAll(async () => {
  pair = await startPairedServices()
})
afterAll(() => pair?.remove())

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: pair.database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function takeSample(): Promise<Sample> {
  const { ledgers, gateways } = pair.services
  const kept = [ledgers, gateways].flatMap((instances) => instances.slice(0, 1))
  const memories = await Promise.all(kept.map((one) => one.readMemory()))
  const files = await Promise.all(kept.map((one) => one.countOpenFiles()))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return { memory: sum(memories), files: sum(files) }
}

/** Returns the growth of the mean of the last third of the samples over that of the middle third. */
function computeGrowth(values: readonly number[]): number {
  const third = Math.floor(values.length / 3)
  if (third === 0) return 0
  const mean = (part: readonly number[]) =>
    part.reduce((total, value) => total + value, 0) / part.length
  return mean(values.slice(-third)) / mean(values.slice(-2 * third, -third)) - 1
}

/** Lists the jobs that have failed for good, by name. */
function listDeadJobs(): Promise<{ name: string; count: number }[]> {
  return query(
    `select name, count(*)::int as count from (
       select name, state::text from platform_jobs.job
       union all select name, state::text from ledger_jobs.job) as job
     where state = 'failed' group by name`,
  )
}

describe('T59 a platform with a random fault every ten seconds', () => {
  test('keeps its books: nothing is lost, and memory and open files do not grow', {
    timeout: TIMEOUT_MS,
  }, async ({ task }) => {
    const random = createSeededRandom(SEED)
    const before = await pair.readBalance()
    const samples: Sample[] = []
    const faults: string[] = []
    const site = { ...pair.people, gateways: pair.services.gateways, clients: CLIENTS }
    const load = await runUnderLoad(site, async () => {
      const ends = performance.now() + SECONDS * 1_000
      while (performance.now() < ends) {
        await delay(FAULT_PAUSE_MS)
        samples.push(await takeSample())
        faults.push(await causeFault(pair, random))
      }
      await delay(FAULT_PAUSE_MS)
    })
    const memory = computeGrowth(samples.map((sample) => sample.memory))
    const files = computeGrowth(samples.map((sample) => sample.files))
    recordFigure(
      task,
      `seed ${SEED}: ${faults.length} faults in ${SECONDS} s, ${load.paid} payments, ${load.failed} of ${load.calls} calls failed, memory ${formatGrowth(memory)}, open files ${formatGrowth(files)}`,
    )
    expect(load.paid).toBeGreaterThan(0)
    expect(await pair.readBalance()).toBe(before + BigInt(load.paid) * 100n)
    expect((await pair.ledger.ask('check', {})).problems).toEqual([])
    await expect.poll(listDeadJobs).toEqual([])
    if (!JUDGES_TIMES) return
    expect(files).toBeLessThanOrEqual(GROWTH_MAX)
    if (SECONDS >= LONG_SECONDS) expect(memory).toBeLessThanOrEqual(GROWTH_MAX)
  })

  test('sabotaged twin: a changed balance and growing memory are noticed', async () => {
    await query(
      `update ledger.balance set balance_minor = balance_minor + 1
       where ledger_id = 1 and account = (select min(account) from ledger.balance where ledger_id = 1)`,
    )
    expect((await pair.ledger.ask('check', {})).problems).not.toEqual([])
    expect(computeGrowth([100, 100, 100, 100, 120, 120])).toBeGreaterThan(GROWTH_MAX)
  })
})

function formatGrowth(growth: number): string {
  return `${growth < 0 ? '' : '+'}${Math.round(growth * 100)} %`
}
