import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './environment.ts'
import { TORTURE_SIZES } from './test-sizes.ts'
import { runVitest } from './vitest-run.ts'

// `npm run torture` runs the randomised tests of `npm test` with larger sizes.

const SEEDS = 2_000
const COMMANDS_PER_SEED = 500
const FILES = [
  'ledger-service/test/postgres-crash.faults.test.ts',
  'ledger-service/test/lost-answer.db.test.ts',
  'ledger-service/test/lost-connection.faults.test.ts',
  'ledger-service/test/durability.faults.test.ts',
  'ledger-service/test/disk-full.faults.test.ts',
  'ledger-service/test/crash-process.faults.test.ts',
  'ledger-service/test/bank.faults.test.ts',
  'ledger-service/test/reference-model.db.test.ts',
  'ledger-service/test/subscriber.db.test.ts',
  'ledger-service/test/dual-control.test.ts',
  'ledger-service/test/mutation/mutation.test.ts',
  'api-gateway/testing/one-admin/one-admin.db.test.ts',
  'e2e/src/overload.faults.test.ts',
  'e2e/src/soak.faults.test.ts',
]

const tests = await runVitest(
  ['--project=unit', '--project=db', '--project=faults', ...FILES],
  TORTURE_SIZES,
)
const isSimulated = await runSimulation()
for (const failure of tests.failures) process.stdout.write(`FAIL ${failure}\n`)
process.stdout.write(`${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} not run\n`)
process.exit(tests.failed === 0 && isSimulated ? 0 : 1)

function runSimulation(): Promise<boolean> {
  const main = join(ROOT, 'ledger-service', 'test', 'simulation', 'main.ts')
  const args = [main, '--seeds', String(SEEDS), '--commands', String(COMMANDS_PER_SEED)]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
