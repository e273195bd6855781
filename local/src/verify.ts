import { runChecks, STATIC_CHECKS } from './checks.ts'
import { runVitest } from './vitest-run.ts'

const began = Date.now()

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const checks = await runChecks(STATIC_CHECKS, say)
const tests = await runVitest(['--project=unit'], {})
const passed = checks.filter((check) => check.passed).length + tests.passed
const failed = checks.filter((check) => !check.passed).length + tests.failed
for (const failure of tests.failures) say(`FAIL ${failure}`)
say(`${((Date.now() - began) / 1000).toFixed(1)} s`)
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
