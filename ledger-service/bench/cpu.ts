import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

// The clock ticks of /proc. Linux reports 100 a second to programs on every common architecture.
const TICKS_PER_SECOND = 100

/** The processes whose CPU time is measured. */
export interface Programs {
  /** What this process does, such as `writer and clients`. */
  readonly own: string
  /** What the processes that this process has started and that have ended did. */
  readonly children: string
  /** The id of the postmaster. */
  readonly postmaster: number
  /** The id of the ledger service, if it is a separate process. */
  readonly service?: number
}

/** The share of all cores by program; `waiting` is the idle share. The sum is 1. */
export type CpuShares = Readonly<Record<string, number>>

/** Measures how the cores were used during the work. */
export async function measureCpu<Result>(
  programs: Programs,
  work: () => Promise<Result>,
): Promise<{ result: Result; shares: CpuShares }> {
  const before = readSeconds(programs)
  const idleBefore = readIdleSeconds()
  const began = performance.now()
  const result = await work()
  const capacity = ((performance.now() - began) / 1_000) * cpus().length
  const after = readSeconds(programs)
  const shares: Record<string, number> = {}
  for (const [name, seconds] of Object.entries(after)) {
    shares[name] = (seconds - (before[name] ?? 0)) / capacity
  }
  shares.waiting = (readIdleSeconds() - idleBefore) / capacity
  const known = Object.values(shares).reduce((sum, share) => sum + share, 0)
  shares['kernel and other programs'] = Math.max(0, 1 - known)
  return { result, shares }
}

/** Formats shares as `PostgreSQL 41 %, waiting 7 %`. Leaves out shares under one percent. */
export function formatShares(shares: CpuShares): string {
  return Object.entries(shares)
    .filter(([, share]) => share >= 0.01)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    .join(', ')
}

function readSeconds({ own, children, postmaster, service }: Programs): Record<string, number> {
  const self = readStat(process.pid)
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === postmaster)
  const server = readStat(postmaster)
  return {
    [own]: self?.own ?? 0,
    [children]: self?.children ?? 0,
    PostgreSQL:
      (server?.own ?? 0) +
      (server?.children ?? 0) +
      backends.reduce((sum, backend) => sum + (backend?.own ?? 0), 0),
    ...(service === undefined ? {} : { 'ledger service': readStat(service)?.own ?? 0 }),
  }
}

function readIdleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1_000
}

/** Returns null if the process has ended. */
function readStat(pid: number): { parent: number; own: number; children: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets can contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const readTicks = (place: number) => Number(fields[place]) / TICKS_PER_SECOND
    return {
      parent: Number(fields[1]),
      own: readTicks(11) + readTicks(12),
      children: readTicks(13) + readTicks(14),
    }
  } catch {
    return null
  }
}
