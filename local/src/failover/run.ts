import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../postgres-user.ts'
import { checkRun, formatChecks } from './checks.ts'
import { type Cluster, formatServerUrl, startCluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import type { Programs } from './programs.ts'
import { FAULTS, GAP_MS_MAX, type Round, runRound } from './rounds.ts'
import { type Services, startServices } from './services.ts'

export interface FailoverRun {
  /** An existing folder for all files of the run. */
  readonly folder: string
  readonly programs: Programs
  readonly account: Account | null
  readonly clients: number
  readonly print: (line: string) => void
  readonly signal: AbortSignal
}

export interface Stage {
  readonly cluster: Cluster
  readonly services: Services
  readonly load: Load
}

/**
 * Disturbs the primary under load with one fault after another. Returns true if all checks at the
 * end pass.
 */
export async function runFailover(run: FailoverRun, rounds: number): Promise<boolean> {
  return useStage(run, { isSafe: true }, async (stage) => {
    const done: Round[] = []
    for (let place = 0; place < rounds; place += 1) {
      const fault = FAULTS[place % FAULTS.length] ?? 'kill'
      const round = await runRound(fault, stage)
      done.push(round)
      const { from, to, gapMs, acknowledged } = round
      run.print(
        `round ${place + 1} of ${rounds}: ${fault}, ${from} replaced by ${to}, ` +
          `${acknowledged} acknowledged, longest gap ${formatSeconds(gapMs)}`,
      )
    }
    await stage.load.finish()
    for (const fault of FAULTS) {
      const gaps = done.filter((round) => round.fault === fault).map(({ gapMs }) => gapMs)
      if (gaps.length === 0) continue
      const limit = formatSeconds(GAP_MS_MAX[fault])
      run.print(`longest gap, ${fault}: ${formatSeconds(Math.max(...gaps))} (limit ${limit})`)
    }
    const tooSlow = done.filter(({ fault, gapMs }) => gapMs > GAP_MS_MAX[fault]).length
    const checks = await checkRun(stage)
    for (const line of formatChecks(checks)) run.print(line)
    return checks.isPassed && tooSlow === 0
  })
}

/**
 * Starts the cluster, the services and the load, and stops them after `use`. If `isSafe` is false,
 * commits do not wait for a standby.
 */
export async function useStage<T>(
  run: FailoverRun,
  { isSafe }: { isSafe: boolean },
  use: (stage: Stage) => Promise<T>,
): Promise<T> {
  const { folder, print, clients } = run
  const passwords = {
    superuser: createPassword(),
    replication: createPassword(),
    rewind: createPassword(),
  }
  // The user of the cluster must be able to enter the folder.
  await chmod(folder, 0o711)
  print('starting etcd, three PostgreSQL nodes under Patroni, and HAProxy')
  const cluster = await startCluster({
    ...run,
    folder: join(folder, 'cluster'),
    passwords,
    isSynchronous: isSafe,
  })
  try {
    print('starting two ledger services and two gateways')
    const services = await startServices({
      folder,
      serverUrl: formatServerUrl({ port: cluster.port, passwords }),
      durability: isSafe ? 'standby' : 'local',
      log: () => {},
    })
    try {
      const load = startLoad({ ...services, clients })
      try {
        return await Promise.race([use({ cluster, services, load }), waitForAbort(run.signal)])
      } finally {
        await load.abandon().catch(() => {})
      }
    } finally {
      await services.stop()
    }
  } finally {
    await cluster.stop()
  }
}

/**
 * Rejects when the run is aborted. After Ctrl-C, all processes are then stopped at once, not only
 * after the current round.
 */
function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function createPassword(): string {
  return randomBytes(16).toString('hex')
}
