import { performance } from 'node:perf_hooks'
import { pickRandomItem, type Send } from './books.ts'
import { createFunding } from './commands.ts'
import { readResidentMb } from './resident.ts'
import { computeMedian } from './row.ts'
import type { BenchDatabase } from './server.ts'
import { startService } from './service.ts'

const LOAD_SECONDS = 12
const BUCKET_MS = 500
const STEADY_BUCKETS = 10
/** A bucket is at full speed if it reaches this share of the median of the last buckets. */
const FULL_SPEED = 0.8
const CALLERS = 8
const COMMANDS = 100

export interface StartTimes {
  /** From the start of the process until the first half second at full speed. */
  fullSpeedMs: number
  commandsPerSecond: number
  /** The resident memory of the service after the load, in MB of 1,000,000 bytes. */
  residentMb: number
}

/** Starts the service, and sends as many commands as it can record from its first second on. */
export async function measureStart(
  database: BenchDatabase,
  investors: readonly string[],
): Promise<StartTimes> {
  const began = performance.now()
  const service = await startService(database)
  try {
    const recordedAt = await sendForSeconds(service.send, investors)
    const buckets = countByBucket(recordedAt, began)
    const steady = computeMedian(buckets.slice(-STEADY_BUCKETS))
    const place = buckets.findIndex((count) => count >= steady * FULL_SPEED)
    return {
      fullSpeedMs: place * BUCKET_MS,
      commandsPerSecond: (steady / BUCKET_MS) * 1_000,
      residentMb: await readResidentMb(service.pid),
    }
  } finally {
    await service.stop()
  }
}

/** Returns the time of each recorded request of `COMMANDS` commands. */
async function sendForSeconds(send: Send, investors: readonly string[]): Promise<number[]> {
  const until = performance.now() + LOAD_SECONDS * 1_000
  const recordedAt: number[] = []
  async function sendInLoop(): Promise<void> {
    while (performance.now() < until) {
      await send(
        Array.from({ length: COMMANDS }, () => createFunding(pickRandomItem(investors), 100n)),
        'bulk',
      )
      recordedAt.push(performance.now())
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, sendInLoop))
  return recordedAt
}

/** Counts the commands of each half second since `began`. Leaves out the last, incomplete one. */
function countByBucket(recordedAt: readonly number[], began: number): readonly number[] {
  const places = recordedAt.map((at) => Math.floor((at - began) / BUCKET_MS))
  const counts = Array.from({ length: Math.max(...places) }, () => 0)
  for (const place of places) {
    if (place < counts.length) counts[place] = (counts[place] ?? 0) + COMMANDS
  }
  return counts
}
