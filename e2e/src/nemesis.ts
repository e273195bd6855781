import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../../ledger-service/test/simulation/random.ts'
import type { PairedServices } from './paired-services.ts'
import type { ServiceProcess } from './service-processes.ts'

const PAUSED_MS = 2_000

export const FAULTS = ['killed', 'stopped', 'paused', 'disconnected'] as const
type Fault = (typeof FAULTS)[number]

/**
 * Causes one random fault and waits until its process runs again. The first instance of each part is
 * never ended, so that its memory and its open files can be compared over time.
 */
export async function causeFault(pair: PairedServices, random: Random): Promise<Fault> {
  const fault = random.pick(FAULTS)
  if (fault === 'disconnected') await disconnectAll(pair.database.url)
  else await disturbProcess(random.pick(listVictims(pair)), fault)
  return fault
}

function listVictims({ services }: PairedServices): readonly ServiceProcess[] {
  const { ledgers, gateways, workers } = services
  return [ledgers, gateways, workers].flatMap((instances) => instances.slice(1))
}

async function disturbProcess(
  victim: ServiceProcess,
  fault: Exclude<Fault, 'disconnected'>,
): Promise<void> {
  if (fault === 'paused') {
    victim.signal('SIGSTOP')
    await delay(PAUSED_MS)
    victim.signal('SIGCONT')
    return
  }
  await victim.end(fault === 'killed' ? 'SIGKILL' : 'SIGTERM')
  await victim.start()
}

/** Ends every connection of the platform to its database. */
async function disconnectAll(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename like 'cairn%'`,
    )
  } finally {
    await client.end()
  }
}
