import { cpus } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const SAMPLE_MS = 1_000
const BUSY_MAX = 0.3
const WAIT_MS = 60_000

/**
 * Waits up to a minute until other processes use less than a third of a core. Then returns the
 * number of cores that they use.
 */
export async function measureOtherLoad(): Promise<number> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const busy = await measureBusyCores()
    if (busy <= BUSY_MAX || Date.now() > deadline) return busy
  }
}

async function measureBusyCores(): Promise<number> {
  const before = readCpuTimes()
  await delay(SAMPLE_MS)
  const after = readCpuTimes()
  const spent = after.all - before.all
  return spent === 0 ? 0 : cpus().length * (1 - (after.idle - before.idle) / spent)
}

function readCpuTimes(): { all: number; idle: number } {
  const sum = { all: 0, idle: 0 }
  for (const { times: spent } of cpus()) {
    sum.idle += spent.idle
    sum.all += spent.user + spent.nice + spent.sys + spent.irq + spent.idle
  }
  return sum
}
