import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './environment.ts'
import { TORTURE_SIZES } from './test-sizes.ts'
import { runVitest } from './vitest-run.ts'

// `npm run torture` runs the randomised tests of `npm test` with larger sizes, and the tests of all
// pages in each width and theme.

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
const PAGE_FILES = [
  'e2e/src/accessibility.e2e.test.ts',
  'e2e/src/accessibility-admin.e2e.test.ts',
  'e2e/src/accessibility-investor.e2e.test.ts',
  'e2e/src/layout-shift-signed-in.e2e.test.ts',
]

// The tests of pages run alone, because their platforms need a part of the machine until their run
// ends.
const results = [
  await runVitest(['--project=unit', '--project=db', '--project=faults', ...FILES], TORTURE_SIZES),
  await runVitest(['--project=e2e', ...PAGE_FILES], TORTURE_SIZES),
]
const isSimulated = await runSimulation()
const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((status) =>
  results.reduce((sum, counts) => sum + counts[status], 0),
)
for (const failure of results.flatMap(({ failures }) => failures)) {
  process.stdout.write(`FAIL ${failure}\n`)
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} not run\n`)
process.exit(failed === 0 && isSimulated ? 0 : 1)

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
