import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './environment.ts'
import { TORTURE_SIZES } from './test-sizes.ts'
import { runVitest } from './vitest-run.ts'

// `npm run torture`: runs the randomised tests of `npm test` with large counts.

const SEEDS = 2_000
const COMMANDS_PER_SEED = 500
const FILES = [
  'postgres-crash.faults',
  'lost-answer.db',
  'lost-connection.faults',
  'durability.faults',
  'disk-full.faults',
  'crash-process.faults',
  'bank.faults',
  'reference-model.db',
  'subscriber.db',
]

const files = FILES.map((name) => `ledger-service/test/${name}.test.ts`)
const tests = await runVitest(['--project=db', '--project=faults', ...files], TORTURE_SIZES)
const isSimulated = await simulate()
for (const failure of tests.failures) process.stdout.write(`FAIL ${failure}\n`)
process.stdout.write(`${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} not run\n`)
process.exit(tests.failed === 0 && isSimulated ? 0 : 1)

function simulate(): Promise<boolean> {
  const main = join(ROOT, 'ledger-service', 'test', 'simulation', 'main.ts')
  const args = [main, '--seeds', String(SEEDS), '--commands', String(COMMANDS_PER_SEED)]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
