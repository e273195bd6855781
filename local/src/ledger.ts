import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, readEnvironment } from './environment.ts'
import { findAddresses } from './running.ts'

// `npm run ledger -- …`: the ledger's own command line, on the platform that runs here unless
// LEDGER_DATABASE_URL names another database.
// Everything but a repair reads as the auditor, who can change nothing.
const args = process.argv.slice(2)
const found = await findAddresses(readEnvironment(process.env).dataDir)
const url =
  process.env.LEDGER_DATABASE_URL ?? (args.includes('--repair') ? found?.owner : found?.auditor)
const child = spawn(process.execPath, [join(ROOT, 'ledger-service', 'src', 'cli.ts'), ...args], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: { ...process.env, ...(url === undefined ? {} : { LEDGER_DATABASE_URL: url }) },
})
child.once('exit', (code) => process.exit(code ?? 1))
