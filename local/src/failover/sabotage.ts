import { setTimeout as delay } from 'node:timers/promises'
import { comparePaymentsWithLedger } from './checks.ts'
import { waitForAcknowledgements } from './load.ts'
import { waitForHeir } from './rounds.ts'
import { type FailoverRun, useStage } from './run.ts'

/**
 * After this time, the standbys have received all payments that were acknowledged before the cut.
 */
const REPLICATED_MS = 2_000

/**
 * Sabotaged twin: the ledger confirms commands before a standby has them. The replication is cut,
 * and the primary is killed. Returns true if payments are lost and each lost payment was
 * acknowledged after the cut.
 */
export async function runSabotage(run: FailoverRun): Promise<boolean> {
  return useStage(run, { isSafe: false }, async ({ cluster, services, load }) => {
    const primary = await cluster.waitUntilHealthy()
    await waitForAcknowledgements(load)
    const replicated = new Set(load.acknowledged)
    await delay(REPLICATED_MS)
    primary.cutReplication()
    await waitForAcknowledgements(load)
    await primary.kill()
    const heir = await waitForHeir(cluster, primary)
    await load.abandon()
    await cluster.waitForProxy()
    const { lost, doubled } = await comparePaymentsWithLedger({ services, load })
    run.print(
      `sabotaged: ${primary.name} replaced by ${heir.name}; ${load.acknowledged.size} payments ` +
        `acknowledged; lost ${lost.length}, doubled ${doubled.length}`,
    )
    const isFound = lost.length > 0 && !lost.some((cents) => replicated.has(cents))
    run.print(isFound ? 'the loss was found' : 'THE LOSS WAS NOT FOUND')
    return isFound
  })
}
