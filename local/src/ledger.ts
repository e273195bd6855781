import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, readEnvironment } from './environment.ts'
import { findAddresses } from './running.ts'

// `npm run ledger -- …` runs the ledger's command line on the platform that runs here, or on
// LEDGER_DATABASE_URL. All commands except repairs connect as the read-only auditor.
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
