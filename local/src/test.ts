import { cpus } from 'node:os'
import { type Browsers, provideBrowsers } from './browser.ts'
import { findProjectsToRunWhole, listChangedFiles, type Project } from './changed-tests.ts'
import { runChecks, STATIC_CHECKS } from './checks.ts'
import { runVitest, type TestCounts } from './vitest-run.ts'
import { ensureWeb } from './web-build.ts'

// `npm test` runs all tests. `npm test -- --changed[=REVISION]` runs the tests that a change can
// affect. `npm test -- PATH` runs the tests in some files. Other arguments are passed to vitest.

const SLOWEST = 10
const MINUTE_MS = 60_000
const STEPS: readonly { name: string; projects: readonly Project[] }[] = [
  { name: 'unit and database tests', projects: ['unit', 'db'] },
  { name: 'browser tests', projects: ['e2e'] },
  // These tests run last and alone, because they kill processes and measure time.
  { name: 'fault tests', projects: ['faults'] },
]

const began = Date.now()
const wanted = process.argv.slice(2)
const changed = wanted.find((arg) => /^--changed(=|$)/.test(arg))
const whole =
  changed === undefined
    ? new Set<Project>()
    : findProjectsToRunWhole(listChangedFiles(changed.split('=')[1] ?? 'HEAD'))

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function prepareWeb(): Promise<boolean> {
  try {
    await ensureWeb({ log: printLine, onChild: () => {} })
    return true
  } catch (error) {
    printLine(`FAIL web build\n${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

function prepareBrowsers(): Browsers | null {
  try {
    return provideBrowsers(printLine)
  } catch (error) {
    printLine(`FAIL browser\n${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/**
 * Returns the arguments for a project. If all tests of the project must run, the arguments do not
 * contain `--changed`.
 */
function formatArgs(project: Project): string {
  const rest = wanted.filter((arg) => arg !== changed || !whole.has(project))
  // With a selection of tests, a project without a matching test is permitted. Without a selection,
  // such a project is an error.
  return JSON.stringify(wanted.length === 0 ? [] : ['--passWithNoTests', ...rest])
}

async function runStep(projects: readonly Project[]): Promise<readonly TestCounts[]> {
  const byArgs = Map.groupBy(projects, formatArgs)
  const counts: TestCounts[] = []
  for (const [args, group] of byArgs) {
    const names = group.map((project) => `--project=${project}`)
    counts.push(await runVitest([...names, ...JSON.parse(args)], env))
  }
  return counts
}

/** Returns the CPU minutes that all processes have used since the machine started. */
function readCpuMinutes(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / MINUTE_MS
}

function formatMinutesSince(ms: number): string {
  return `${((Date.now() - ms) / MINUTE_MS).toFixed(1)} min`
}

printLine('types, lint, boundaries, file lengths')
const checks = await runChecks(STATIC_CHECKS, printLine)
const isBuilt = await prepareWeb()
const browsers = prepareBrowsers()
const env: Record<string, string> =
  browsers === null
    ? {}
    : {
        CHROMIUM_PATH: browsers.chromium,
        CHROMIUM_HEADLESS_SHELL_PATH: browsers.headlessShell,
      }

const results: TestCounts[] = []
const times: string[] = [`checks and build ${formatMinutesSince(began)}`]
for (const { name, projects } of STEPS) {
  printLine(name)
  const [startedAt, cpuBefore] = [Date.now(), readCpuMinutes()]
  results.push(...(await runStep(projects)))
  const cpu = (readCpuMinutes() - cpuBefore).toFixed(1)
  times.push(`${name} ${formatMinutesSince(startedAt)} (machine: ${cpu} CPU min)`)
}

const outcomes = [...checks.map((check) => check.passed), isBuilt, browsers !== null]
const sum = (read: (counts: TestCounts) => number) =>
  results.reduce((total, counts) => total + read(counts), 0)
const passed = outcomes.filter(Boolean).length + sum((counts) => counts.passed)
const failed = outcomes.filter((isGood) => !isGood).length + sum((counts) => counts.failed)
const slowest = results
  .flatMap(({ files }) => files)
  .toSorted((one, other) => other.ms - one.ms)
  .slice(0, SLOWEST)
printLine('slowest files:')
for (const { file, ms } of slowest) printLine(`${(ms / 1000).toFixed(1).padStart(7)} s ${file}`)
// The failures are printed again at the end, so that they are easy to find.
for (const check of checks.filter((each) => !each.passed)) {
  printLine(`FAIL ${check.name}\n${check.output.trimEnd()}`)
}
for (const failure of results.flatMap(({ failures }) => failures)) printLine(`FAIL ${failure}`)
printLine(`${times.join(', ')}; ${sum(({ skipped }) => skipped)} not run`)
printLine(`${formatMinutesSince(began)}`)
printLine(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
