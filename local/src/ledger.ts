import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, readEnvironment } from './environment.ts'
import { findAuditorUrl } from './running.ts'

// `npm run ledger -- …`: the ledger's own command line, on the platform that runs here unless
// LEDGER_DATABASE_URL names another database.
const given = process.env.LEDGER_DATABASE_URL
const url = given ?? (await findAuditorUrl(readEnvironment(process.env).dataDir))
const child = spawn(
  process.execPath,
  [join(ROOT, 'ledger-service', 'src', 'cli', 'main.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { ...process.env, ...(url === null ? {} : { LEDGER_DATABASE_URL: url }) },
  },
)
child.once('exit', (code) => process.exit(code ?? 1))
