import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { runCommand } from './backup/command.ts'
import { requireComplete } from './backup/incomplete.ts'
import { startDatabase } from './database.ts'
import { ROOT, readEnvironment } from './environment.ts'
import { requireNotExported } from './move/exported-mark.ts'
import { createLedgerEnv } from './parts.ts'
import { claimDataDir, findAddresses } from './running.ts'
import { readSecrets } from './secrets.ts'

// `npm run ledger -- …` runs the ledger's command line on the platform that runs here, or on
// LEDGER_DATABASE_URL. All commands except repairs connect as the read-only auditor. The commands
// in STOPPED require a stopped platform: they start its database and act in place of its ledger
// service.

const STOPPED = ['activate-model', 'import-balances', 'rotate-signing-key', 'declare-fork']
const args = process.argv.slice(2)
const environment = readEnvironment(process.env)
const given = readSecretFiles(process.env)

if (STOPPED.includes(args[0] ?? '') && given.LEDGER_DATABASE_URL === undefined) {
  await runCommand(async (print) => {
    process.exitCode = await runWhileStopped(print)
  })
} else {
  const found = await findAddresses(environment.dataDir)
  const url =
    given.LEDGER_DATABASE_URL ?? (args.includes('--repair') ? found?.owner : found?.auditor)
  const checkpoints = join(environment.dataDir, 'checkpoints')
  const folder = existsSync(checkpoints) ? { LEDGER_CHECKPOINT_DIR: checkpoints } : {}
  process.exitCode = await runCli({
    ...(url !== undefined && { LEDGER_DATABASE_URL: url }),
    // If LEDGER_DATABASE_URL is set, the ledger can be on another machine. The checkpoint files in
    // the data directory of this machine then do not belong to this ledger.
    ...(given.LEDGER_DATABASE_URL === undefined && folder),
  })
}

/** Claims the data directory, so that no platform can start on it while the command runs. */
async function runWhileStopped(print: (line: string) => void): Promise<number> {
  const { dataDir } = environment
  if (!existsSync(join(dataDir, 'secrets'))) throw new Error(`there is no platform in ${dataDir}`)
  requireComplete(dataDir)
  requireNotExported(dataDir)
  const claim = await claimDataDir(dataDir, print)
  try {
    const secrets = await readSecrets(dataDir)
    const database = await startDatabase({ environment, secrets, log: print })
    try {
      return await runCli(createLedgerEnv({ environment, secrets, database, port: 1 }))
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
