import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './environment.ts'

// `npm run bench -- …`: a PostgreSQL of its own, so nothing that runs here is in its way but time.
const bench = join(ROOT, 'ledger-service', 'bench', 'main.ts')
const child = spawn(process.execPath, [bench, ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => child.kill(signal))
}
child.once('exit', (code) => process.exit(code ?? 1))
