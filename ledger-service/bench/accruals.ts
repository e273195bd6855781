import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { accrueDueProfit } from '../src/service/jobs/accrual-worker.ts'
import { measureCpu } from './cpu.ts'
import { type GrownLedger, HOURS_AGO } from './grown-ledger.ts'
import { runLoad } from './load.ts'
import { createCeilingRow, createFailedRow, createFloorRow, type Row } from './row.ts'
import type { Service } from './service.ts'

const HOUR_MS = 3_600_000
const FLOOR = 8_000
const SLOWDOWN_MAX = 1.3
const BESIDE_FLOOR = 6_000
const P99_MAX_MS = 100
const ACCRUED_BEFORE_MS = 5_000
const PEOPLE = { connections: 8, requestsPerSecond: 100, commandsPerRequest: 1 } as const

interface Pass {
  count: number
  seconds: number
  /**
   * The duration of the last `part` accruals divided by the duration of the first `part` accruals.
   */
  slowdown: number
  part: number
}

/** Runs the accrual worker's code once. One hour of profit is due for each investment. */
async function runAccruals(
  { client }: Service,
  grown: GrownLedger,
  onRecorded: (count: number) => void = () => {},
): Promise<Pass> {
  grown.units += 1
  const nowMs = Date.now() - (HOURS_AGO - grown.units) * HOUR_MS
  const marks = [{ count: 0, atMs: performance.now() }]
  let count = 0
  await accrueDueProfit({
    clock: { now: () => nowMs },
    log: pino({ level: 'silent' }),
    ledger: {
      ...client,
      submitBriefly: async (commands) => {
        const answers = await client.submitBriefly(commands)
        const recorded = answers.filter(({ outcome }) => outcome === 'recorded').length
        count += recorded
        onRecorded(recorded)
        marks.push({ count, atMs: performance.now() })
        return answers
      },
    },
  })
  if (count !== grown.investments.length) {
    throw new Error(`${count} of ${grown.investments.length} were accrued`)
  }
  const part = count >= 1_000_000 ? 100_000 : Math.round(count / 5)
  const findTimeOfCount = (wanted: number) => marks.find((mark) => mark.count >= wanted)?.atMs ?? 0
  const [began = 0, ended = 0] = [marks[0]?.atMs, marks.at(-1)?.atMs]
  const slowdown = (ended - findTimeOfCount(count - part)) / (findTimeOfCount(part) - began)
  return { count, seconds: (ended - began) / 1_000, slowdown, part }
}

export async function measureAccruals(
  service: Service,
  grown: GrownLedger,
  postmaster: number,
): Promise<readonly Row[]> {
  const programs = { own: 'worker', children: 'others', postmaster, service: service.pid }
  const { result, shares } = await measureCpu(programs, () => runAccruals(service, grown))
  const { count, seconds, slowdown, part } = result
  const parts = part.toLocaleString('en-US')
  return [
    createFloorRow({
      name: `accrual of ${count.toLocaleString('en-US')} due investments`,
      unit: 'accruals/s',
      value: count / seconds,
      floor: FLOOR,
      shares,
    }),
    createCeilingRow({
      name: `accrual, the last ${parts} against the first ${parts}`,
      unit: 'times as long',
      value: slowdown,
      ceiling: SLOWDOWN_MAX,
    }),
  ]
}

/** Starts the accruals and then measures interactive commands while the accruals run. */
export async function measureInteractiveDuringAccruals(
  service: Service,
  grown: GrownLedger,
): Promise<Row> {
  const { port, token } = service
  const { investors, seconds } = grown
  let phase: 'before' | 'beside' | 'over' = 'before'
  let beside = 0

  async function accrue(): Promise<void> {
    const count = (recorded: number) => {
      if (phase === 'beside') beside += recorded
    }
    do await runAccruals(service, grown, count)
    while (phase !== 'over')
  }

  async function measureWhileAccruing(): Promise<{ p99Ms: number; tookMs: number }> {
    await delay(ACCRUED_BEFORE_MS)
    phase = 'beside'
    const began = performance.now()
    try {
      const load = { port, token, investors, seconds, ...PEOPLE }
      const { p99Ms } = await runLoad({ ...load, lane: 'interactive' })
      return { p99Ms, tookMs: performance.now() - began }
    } finally {
      // An accrual is not counted if it is recorded after the interactive load has ended.
      phase = 'over'
    }
  }

  const [{ p99Ms: value, tookMs }] = await Promise.all([measureWhileAccruing(), accrue()])
  const perSecond = (beside / tookMs) * 1_000
  const name = 'interactive p99 while accruals run'
  if (perSecond < BESIDE_FLOOR) {
    const problem =
      `only ${Math.round(perSecond)} accruals a second ran meanwhile,` +
      `${BESIDE_FLOOR} are required; p99 was ${value.toFixed(1)} ms`
    return createFailedRow({ name, unit: 'ms', bar: 1, problem })
  }
  return createCeilingRow({
    name: `${name} (${Math.round(perSecond)}/s)`,
    unit: 'ms',
    value,
    ceiling: P99_MAX_MS,
  })
}
