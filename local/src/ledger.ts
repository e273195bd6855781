import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { runCommand } from './backup/command.ts'
import { requireComplete } from './backup/incomplete.ts'
import { createRoleUrls, type Database, startDatabase } from './database.ts'
import { ROOT, readEnvironment } from './environment.ts'
import { requireNotExported } from './move/exported-mark.ts'
import { createLedgerEnv } from './parts.ts'
import { claimDataDir, type DatabaseAddresses, findAddresses, findPlatform } from './running.ts'
import { readSecrets, type Secrets } from './secrets.ts'

// `npm run ledger -- …` runs the ledger's command line on the platform that runs here, or on
// LEDGER_DATABASE_URL or LEDGER_DIRECTORY. All commands except repairs connect as the read-only auditor. The commands
// in STOPPED require a stopped platform: they start its database and act in place of its ledger
// service. The commands in READING start the database of a stopped platform too, because a log must
// be verified most of all when the ledger refuses to start. `rotate-signing-key` acts as the ledger
// service too, whether the platform runs or not.

const READING = [
  'verify',
  'rebuild',
  'checkpoint',
  'find',
  'prove',
  'export',
  'trial-balance',
  'balance',
]
const STOPPED = ['activate-model', 'import-balances', 'declare-fork']
const ROTATE = 'rotate-signing-key'
const args = process.argv.slice(2)
const environment = readEnvironment(process.env)
const given = readSecretFiles(process.env)

const command = args[0] ?? ''
const isHere = given.LEDGER_DATABASE_URL === undefined && given.LEDGER_DIRECTORY === undefined
const hasStopped =
  findPlatform(environment.dataDir) === null && existsSync(join(environment.dataDir, 'secrets'))

if (isHere && command === ROTATE && !hasStopped) {
  await runCommand(async () => {
    process.exitCode = await runCli(await createServiceEnv())
  })
} else if (isHere && [...STOPPED, ROTATE].includes(command)) {
  await runCommand(async (print) => {
    requireNotExported(environment.dataDir)
    process.exitCode = await runWhileStopped(print, ({ secrets, database }) =>
      createLedgerEnv({ environment, secrets, database, port: 1 }),
    )
  })
} else if (isHere && hasStopped && READING.includes(command)) {
  await runCommand(async (print) => {
    process.exitCode = await runWhileStopped(print, ({ database }) =>
      createReadingEnv({ auditor: database.urlFor('cairn_auditor'), owner: database.adminUrl }),
    )
  })
} else {
  const found = await findAddresses(environment.dataDir)
  process.exitCode = await runCli(isHere ? createReadingEnv(found) : {})
}

/**
 * Returns the addresses on this machine. If LEDGER_DATABASE_URL or LEDGER_DIRECTORY is set, the ledger
 * can be on another machine, and the checkpoint files of this machine then do not belong to it.
 */
function createReadingEnv(
  addresses: Pick<DatabaseAddresses, 'auditor' | 'owner'> | null,
): Readonly<Record<string, string>> {
  const url = args.includes('--repair') ? addresses?.owner : addresses?.auditor
  const checkpoints = join(environment.dataDir, 'checkpoints')
  return {
    ...(url === undefined ? {} : { LEDGER_DATABASE_URL: url }),
    ...(existsSync(checkpoints) ? { LEDGER_CHECKPOINT_DIR: checkpoints } : {}),
  }
}

/** Returns the environment of the ledger service of the running platform. */
async function createServiceEnv(): Promise<Readonly<Record<string, string>>> {
  const { dataDir } = environment
  const found = await findAddresses(dataDir)
  if (found === null) {
    throw new Error(
      findPlatform(dataDir) === null
        ? `there is no platform in ${dataDir}`
        : `the platform in ${dataDir} is starting, or another command uses it: try again`,
    )
  }
  const secrets = await readSecrets(dataDir)
  const database = { urlFor: createRoleUrls(found.owner, secrets) }
  return createLedgerEnv({ environment, secrets, database, port: 1 })
}

/** Claims the data directory, so that no platform can start on it while the command runs. */
async function runWhileStopped(
  print: (line: string) => void,
  createEnv: (stopped: {
    secrets: Secrets
    database: Database
  }) => Readonly<Record<string, string>>,
): Promise<number> {
  const { dataDir } = environment
  if (!existsSync(join(dataDir, 'secrets'))) throw new Error(`there is no platform in ${dataDir}`)
  requireComplete(dataDir)
  const claim = await claimDataDir(dataDir, print)
  try {
    const secrets = await readSecrets(dataDir)
    const database = await startDatabase({ environment, secrets, log: print })
    try {
      return await runCli(createEnv({ secrets, database }))
    } finally {
      await database.stop()
    }
  } finally {
    await claim.release()
  }
}

function runCli(variables: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'ledger-service', 'src', 'cli.ts'), ...args], {
    stdio: 'inherit',
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { ...given, ...variables },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
