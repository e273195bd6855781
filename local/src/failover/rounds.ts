import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { findLongestGap } from './compare.ts'
import { type Load, waitForAcknowledgements } from './load.ts'
import type { ClusterNode } from './node.ts'
import type { Services } from './services.ts'

/**
 * The faults of the primary, used in turn. `kill`: all processes of its server are killed. `pause`:
 * all processes of the node stop with SIGSTOP until another node is the primary. `cut off`: nothing
 * can reach the node. `split`: only the clients can reach the node.
 */
export const FAULTS = ['kill', 'pause', 'cut off', 'split'] as const
export type Fault = (typeof FAULTS)[number]

/**
 * The longest permitted time without an acknowledgement. Patroni replaces a primary that does not
 * answer after 20 s.
 */
export const GAP_MS_MAX: Readonly<Record<Fault, number>> = {
  kill: 10_000,
  pause: 40_000,
  'cut off': 40_000,
  split: 40_000,
}

const STEADY_MS = 3_000
const REPLACED_MS_MAX = 120_000
const POLL_MS = 50

export interface Round {
  readonly fault: Fault
  readonly from: string
  readonly to: string
  readonly gapMs: number
  /** The number of acknowledgements from the fault to the end of the round. */
  readonly acknowledged: number
}

/**
 * Disturbs the primary, waits until another node has replaced it and payments are acknowledged
 * again, repairs the fault, and waits until all parts are healthy.
 */
export async function runRound(
  fault: Fault,
  { cluster, services, load }: { cluster: Cluster; services: Services; load: Load },
): Promise<Round> {
  const primary = await cluster.waitUntilHealthy()
  await payFor(load, STEADY_MS)
  const fromMs = performance.now()
  const before = load.acknowledged.size
  await inflict(fault, primary)
  const heir = await waitForHeir(cluster, primary)
  await waitForAcknowledgements(load)
  primary.resume()
  primary.heal()
  await cluster.waitUntilHealthy()
  await services.waitUntilHealthy()
  await waitForAcknowledgements(load)
  return {
    fault,
    from: primary.name,
    to: heir.name,
    gapMs: findLongestGap(load.acknowledgedAtMs, { fromMs, toMs: performance.now() }),
    acknowledged: load.acknowledged.size - before,
  }
}

function inflict(fault: Fault, primary: ClusterNode): Promise<void> {
  switch (fault) {
    case 'kill':
      return primary.kill()
    case 'pause':
      return primary.pause()
    case 'cut off':
      primary.cut({ clients: true })
      return Promise.resolve()
    case 'split':
      primary.cut({ clients: false })
      return Promise.resolve()
  }
}

/** Waits until another node is the primary. Throws after two minutes. */
export async function waitForHeir(cluster: Cluster, former: ClusterNode): Promise<ClusterNode> {
  const others = cluster.nodes.filter((node) => node !== former)
  const deadline = performance.now() + REPLACED_MS_MAX
  while (performance.now() < deadline) {
    for (const node of others) if ((await node.ask('/primary')) !== null) return node
    await delay(POLL_MS)
  }
  throw new Error(`no node has replaced ${former.name}`)
}

async function payFor(load: Load, ms: number): Promise<void> {
  await waitForAcknowledgements(load)
  await Promise.race([delay(ms), load.failed])
}
