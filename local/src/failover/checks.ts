import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { ROOT } from '../environment.ts'
import { type CheckpointCheck, checkCheckpoints } from './checkpoints.ts'
import { type Comparison, comparePayments } from './compare.ts'
import type { Load } from './load.ts'
import type { Services } from './services.ts'

const execute = promisify(execFile)
const SHOWN_MAX = 10

export interface Checks {
  readonly acknowledged: number
  readonly payments: Comparison
  /** The first line that `npm run ledger -- verify` prints about its result. */
  readonly verification: string
  readonly isVerified: boolean
  readonly checkpoints: CheckpointCheck
  readonly isPassed: boolean
}

/**
 * Compares the payments of the clients and the checkpoints of both ledger services with the ledger,
 * and verifies the ledger.
 */
export async function checkRun({
  services,
  load,
}: {
  services: Services
  load: Load
}): Promise<Checks> {
  const payments = await comparePaymentsWithLedger({ services, load })
  const { verification, isVerified } = await verifyLedger(services)
  const checkpoints = await checkCheckpoints({
    checkpointFolders: services.checkpointFolders,
    readHead: (size) => services.ledger.ask('head', { size }),
  })
  const { lost, doubled, foreign } = payments
  const isSame = lost.length + doubled.length + foreign.length === 0
  return {
    acknowledged: load.acknowledged.size,
    payments,
    verification,
    isVerified,
    checkpoints,
    isPassed: isSame && isVerified && checkpoints.problems.length === 0,
  }
}

export function formatChecks(checks: Checks): readonly string[] {
  const { acknowledged, payments, verification, isVerified, checkpoints } = checks
  const { lost, doubled, foreign } = payments
  return [
    `${acknowledged} payments acknowledged; lost ${lost.length}, doubled ${doubled.length}, ` +
      `not requested ${foreign.length}`,
    ...[...lost, ...doubled, ...foreign]
      .slice(0, SHOWN_MAX)
      .map((cents) => `  the payment of ${cents} cents`),
    `verify: ${isVerified ? 'clean' : 'FAILED'}, ${verification}`,
    `${checkpoints.compared} checkpoints of two ledger services compared with the ledger, ` +
      `${checkpoints.problems.length} problems`,
    ...checkpoints.problems.slice(0, SHOWN_MAX),
  ]
}

/** Reads the amounts that the wallet of the investor received. */
export async function comparePaymentsWithLedger({
  services,
  load,
}: {
  services: Services
  load: Load
}): Promise<Comparison> {
  const { database, investorId } = services
  const client = new pg.Client({ connectionString: database.urlFor('cairn_auditor') })
  await client.connect()
  try {
    const { rows } = await client.query<{ cents: number }>(
      'select amount_minor::int as cents from ledger.posting where ledger_id = 1 and account = $1',
      [`investor:${investorId}:balance`],
    )
    return comparePayments({ ...load, stored: rows.map(({ cents }) => cents) })
  } finally {
    await client.end()
  }
}

async function verifyLedger({
  database,
}: Services): Promise<Pick<Checks, 'verification' | 'isVerified'>> {
  const cli = join(ROOT, 'ledger-service', 'src', 'cli.ts')
  const env = { PATH: process.env.PATH, LEDGER_DATABASE_URL: database.urlFor('cairn_auditor') }
  try {
    const { stdout } = await execute(process.execPath, [cli, 'verify'], { env })
    return { verification: stdout.split('\n')[0] ?? '', isVerified: true }
  } catch (error) {
    return { verification: String(error), isVerified: false }
  }
}
