import { type CpuShares, measureCpu } from './cpu.ts'
import { measureReadingP99, type ReadingSubject } from './reading.ts'
import { createCeilingRow, type Row } from './row.ts'
import type { Service } from './service.ts'
import type { StartTimes } from './start.ts'

const RATIO_MAX = 1.5
const RESIDENT_RATIO_MAX = 1.2
const FULL_SPEED_MAX_MS = 5_000
/** The client of the product gives up after this time. */
const FIRST_TRIAL_BALANCE_MAX_MS = 10_000
const WARM_UP_SECONDS = 1
const READ_SECONDS_MAX = 3
/** The number of investments after which a measured page of due investments begins. */
const PAGE_STARTS = 10_000

const READS = {
  history: 'a page of history and the balances',
  pastBalance: 'a balance at a past time',
  trialBalance: 'a trial balance at a past time',
  due: 'a page of 500 due investments',
  inclusion: 'an inclusion proof',
} as const

/** The log that is read, and the reads. */
export interface ReadLog {
  readonly investors: readonly string[]
  readonly investments: readonly string[]
  readonly seconds: number
  /** The Unix time at which the first event was recorded, in milliseconds. */
  readonly fromMs: number
}

/** The latency of one kind of read, and the use of the cores while it was measured. */
interface ReadRate {
  readonly p99Ms: number
  readonly shares: CpuShares
}

/** The reads from one log. */
export interface ReadTimes {
  readonly events: number
  readonly rates: Readonly<Record<keyof typeof READS, ReadRate>>
  /** The first trial balance at a past time after the service has started. */
  readonly firstTrialBalanceMs: number
}

/** Measures reads on a service that has just started. `postmaster` is the id of PostgreSQL. */
export async function measureReads(
  service: Service,
  log: ReadLog,
  postmaster: number,
): Promise<ReadTimes> {
  const { client, port, token } = service
  const programs = { own: 'bench', children: 'reader', postmaster, service: service.pid }
  const { fromMs, investors } = log
  const toMs = Date.now()
  const seconds = Math.min(log.seconds, READ_SECONDS_MAX)
  const measureRate = async (subject: ReadingSubject): Promise<ReadRate> => {
    const job = { port, token, subject, seconds, warmUpSeconds: WARM_UP_SECONDS }
    const { result: p99Ms, shares } = await measureCpu(programs, () => measureReadingP99(job))
    return { p99Ms, shares }
  }

  const began = performance.now()
  await client.ask('trialBalance', { at: new Date(toMs).toISOString() })
  const firstTrialBalanceMs = performance.now() - began
  const { size } = await client.ask('head', { size: null })
  return {
    events: Number(size),
    firstTrialBalanceMs,
    rates: {
      history: await measureRate({ investors }),
      pastBalance: await measureRate({ pastInvestors: investors, fromMs, toMs }),
      trialBalance: await measureRate({ fromMs, toMs }),
      due: await measureRate({ investments: sample(log.investments) }),
      inclusion: await measureRate({ size: Number(size) }),
    },
  }
}

function sample(investments: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(investments.length / PAGE_STARTS))
  return investments.filter((_, index) => index % step === 0)
}

/** Compares the reads from a large log with the reads from a small log. */
export function compareReads(small: ReadTimes, large: ReadTimes): readonly Row[] {
  const sizes = [large, small].map(({ events }) => events.toLocaleString('en-US'))
  // The cast is safe, because `READS` has exactly these keys.
  const names = Object.keys(READS) as (keyof typeof READS)[]
  return [
    ...names.map((name) => {
      const { p99Ms: to, shares } = large.rates[name]
      const from = small.rates[name].p99Ms
      const times = `${to.toFixed(1)} ms, ${from.toFixed(1)} ms`
      return createCeilingRow({
        name: `${READS[name]}, p99 at ${sizes.join(' events against ')} (${times})`,
        unit: 'times as long',
        value: to / from,
        ceiling: RATIO_MAX,
        shares,
      })
    }),
    createCeilingRow({
      name: `the first trial balance at a past time after a start, at ${sizes[0]} events`,
      unit: 'ms',
      value: large.firstTrialBalanceMs,
      ceiling: FIRST_TRIAL_BALANCE_MAX_MS,
    }),
  ]
}

/** Compares the starts of a service on a large log and on a small log. */
export function compareStarts(
  { small, large }: { small: StartTimes; large: StartTimes },
  events: number,
): readonly Row[] {
  const size = `${events.toLocaleString('en-US')} events`
  const [to, from] = [large.residentMb, small.residentMb].map((mb) => `${mb.toFixed(0)} MB`)
  return [
    createCeilingRow({
      name: `from a stopped service on ${size} to full speed`,
      unit: 'ms',
      value: large.fullSpeedMs,
      ceiling: FULL_SPEED_MAX_MS,
    }),
    createCeilingRow({
      name: `resident memory of the service at ${size} against the small log (${to}, ${from})`,
      unit: 'times as much',
      value: large.residentMb / small.residentMb,
      ceiling: RESIDENT_RATIO_MAX,
    }),
  ]
}
