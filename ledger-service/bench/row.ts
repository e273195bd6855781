import { type CpuShares, measureCpu, type Programs } from './cpu.ts'
import type { BenchServer } from './server.ts'

/**
 * One line of the table. A higher ratio is better. For a row with a ceiling, the ratio is the
 * ceiling divided by the value.
 */
export interface Row {
  name: string
  unit: string
  value: number | null
  baseline: string
  baselineValue: number | null
  ratio: number | null
  bar: number
  /** The 99th percentile of the latency of one call, if the row measures it. */
  p99Ms?: number | undefined
  /** Bytes on disk with all indexes, divided by the number of events or transfers. */
  bytesPerEvent?: number | undefined
  /** The figures of the baseline, in the same units as the figures of the ledger. */
  baselineP99Ms?: number | undefined
  baselineBytesPerEvent?: number | undefined
  /** The use of the cores while the value was measured. */
  shares?: CpuShares | undefined
  /** The reason why the row has no value, and what the user can do about it. */
  problem: string | null
}

export interface Bench {
  /**
   * The title of the benchmark. `--only` selects the benchmarks whose title contains the given
   * text.
   */
  title: string
  run(server: BenchServer, options: BenchOptions): Promise<void>
}

export interface BenchOptions {
  /** The duration of each measurement, in seconds. */
  seconds: number
  /**
   * If true, the benchmark uses 1,000,000 due investments and 10,000,000 events. Otherwise it uses
   * 100,000 due investments and 500,000 events.
   */
  isLarge: boolean
  /** Prints and keeps rows. A failure after the call does not lose these rows. */
  report(rows: readonly Row[]): void
}

export function createComparison(row: {
  name: string
  unit: string
  value: number
  baseline: string
  baselineValue: number
  bar: number
  p99Ms?: number
  bytesPerEvent?: number
  baselineP99Ms?: number
  baselineBytesPerEvent?: number
  shares?: CpuShares | undefined
}): Row {
  return { ...row, ratio: row.value / row.baselineValue, problem: null }
}

export function createCeilingRow(row: {
  name: string
  unit: string
  value: number
  ceiling: number
  shares?: CpuShares
}): Row {
  const { name, unit, value, shares } = row
  return {
    name,
    unit,
    value,
    shares,
    baseline: 'ceiling',
    baselineValue: row.ceiling,
    ratio: row.ceiling / value,
    bar: 1,
    problem: null,
  }
}

export function createFloorRow(row: {
  name: string
  unit: string
  value: number
  floor: number
  shares?: CpuShares
}): Row {
  const { name, unit, value, shares } = row
  return {
    name,
    unit,
    value,
    shares,
    baseline: 'floor',
    baselineValue: row.floor,
    ratio: value / row.floor,
    bar: 1,
    problem: null,
  }
}

export function createFailedRow(row: {
  name: string
  unit: string
  bar: number
  problem: string
}): Row {
  return { ...row, value: null, baseline: '', baselineValue: null, ratio: null }
}

/**
 * Makes `inFlight` concurrent calls for `seconds`. Returns calls per second and the 99th percentile
 * of the latency.
 */
export async function measure(
  { inFlight, seconds }: { inFlight: number; seconds: number },
  call: (index: number) => Promise<unknown>,
): Promise<{ perSecond: number; p99Ms: number; calls: number }> {
  const began = performance.now()
  const until = began + seconds * 1_000
  const tookMs: number[] = []
  let next = 0
  async function callInLoop(): Promise<void> {
    while (performance.now() < until) {
      const index = next
      next += 1
      const startedAt = performance.now()
      await call(index)
      tookMs.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, callInLoop))
  const elapsed = (performance.now() - began) / 1_000
  tookMs.sort((left, right) => left - right)
  const p99Ms = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0
  return { perSecond: tookMs.length / elapsed, p99Ms, calls: tookMs.length }
}

/** The throughput and the latency of one of the compared systems. */
export interface Rate {
  perSecond: number
  /** The 99th percentile of the latency of one call; undefined if the load does not measure it. */
  p99Ms?: number
  /** The use of the cores in the turn with the median rate. */
  shares?: CpuShares
}

/** One of the systems that a row compares. */
export interface Side {
  /** Runs the load for the given number of seconds. */
  measureRate(seconds: number): Promise<Rate>
  /** Returns the bytes on disk for each event or transfer. */
  measureBytes(): Promise<number>
  /** Checks the balances and disconnects. */
  close(): Promise<void>
}

const TURNS = 5

/**
 * Measures the systems alternately, five times each, and returns the medians. With `programs`, also
 * measures how the cores are used. The first measurement of each system is a warm-up and is not
 * counted. Alternating reduces the effect of a host whose
 * speed varies over minutes.
 */
export async function measureAlternately<Name extends string>(
  seconds: number,
  sides: Record<Name, Side['measureRate']>,
  programs: Programs | null = null,
): Promise<Record<Name, Rate>> {
  const named = Object.entries(sides) as [Name, Side['measureRate']][]
  const turns = new Map<Name, Rate[]>(named.map(([name]) => [name, []]))
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [name, rate] of named) {
      const measured = await measureTurn(() => rate((seconds * 2) / TURNS), programs)
      if (turn > 0) turns.get(name)?.push(measured)
    }
  }
  const medians = {} as Record<Name, Rate>
  for (const [name, rates] of turns) {
    const latencies = rates.flatMap(({ p99Ms }) => (p99Ms === undefined ? [] : [p99Ms]))
    const perSecond = computeMedian(rates.map((rate) => rate.perSecond))
    const { shares } = rates.find((rate) => rate.perSecond === perSecond) ?? {}
    medians[name] = {
      perSecond,
      ...(shares === undefined ? {} : { shares }),
      ...(latencies.length > 0 && { p99Ms: computeMedian(latencies) }),
    }
  }
  return medians
}

async function measureTurn(
  measureRate: () => Promise<Rate>,
  programs: Programs | null,
): Promise<Rate> {
  if (programs === null) return measureRate()
  const { result, shares } = await measureCpu(programs, measureRate)
  return { ...result, shares }
}

export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
