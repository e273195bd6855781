import { runChecks, STATIC_CHECKS } from './checks.ts'
import { runVitest } from './vitest-run.ts'

const began = Date.now()

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

const checks = await runChecks(STATIC_CHECKS, printLine)
const tests = await runVitest(['--project=unit'], {})
const passed = checks.filter((check) => check.passed).length + tests.passed
const failed = checks.filter((check) => !check.passed).length + tests.failed
for (const failure of tests.failures) printLine(`FAIL ${failure}`)
printLine(`${((Date.now() - began) / 1000).toFixed(1)} s`)
printLine(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
