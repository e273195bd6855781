import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './environment.ts'
import { ATTACK_ROWS } from './scorecard-attacks.ts'
import { CONTROL_ROWS } from './scorecard-controls.ts'
import { IDENTITY_ROWS } from './scorecard-identity.ts'
import { SCORECARD, type ScorecardRow } from './scorecard-rows.ts'
import { WORK_ROWS } from './scorecard-work.ts'
import { SCORECARD_SIZES } from './test-sizes.ts'
import { runVitest, type TestResult } from './vitest-run.ts'

// `npm run scorecard [-- --json FILE] [--only T15,T16]` runs the tests of each row of the scorecard
// and the sabotaged twins of these tests.

const { values } = parseArgs({
  options: {
    json: { type: 'string', default: join(ROOT, 'scorecard.json') },
    only: { type: 'string' },
  },
})
const target = values.json
const wanted = values.only?.split(',')
const rows = [...SCORECARD, ...IDENTITY_ROWS, ...ATTACK_ROWS, ...CONTROL_ROWS, ...WORK_ROWS].filter(
  ({ id }) => wanted === undefined || wanted.includes(id),
)
if (rows.length === 0) throw new Error(`The scorecard has no row with the id ${values.only}`)
const files = [...new Set(rows.map((row) => row.file))]
const isFaultTest = (file: string) => file.endsWith('.faults.test.ts')
// The fault tests measure times. They run after the others, because the platforms of the browser
// tests need a part of the machine until their run ends.
const results = [
  ...(await runFiles(
    ['unit', 'db', 'e2e'],
    files.filter((file) => !isFaultTest(file)),
  )),
  ...(await runFiles(['faults'], files.filter(isFaultTest))),
]

const tests = rows.map(measureRow)
const sha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
await writeFile(target, `${JSON.stringify({ sha, tests }, null, 2)}\n`)
for (const { id, name, figure, bar, passed, control } of tests) {
  const mark = passed === null ? 'none' : passed && control?.caught !== false ? 'ok  ' : 'FAIL'
  const twin =
    control === null ? 'no control' : `control ${control.caught ? 'caught' : 'NOT caught'}`
  process.stdout.write(`${mark} ${id} ${name}: ${figure} (bar: ${bar}; ${twin})\n`)
}
process.stdout.write(`written to ${target}\n`)
const isGood = tests.every(({ passed, control }) => passed !== false && control?.caught !== false)
process.exit(isGood ? 0 : 1)

function measureRow(row: ScorecardRow) {
  const all = results.filter(({ file }) => file === row.file)
  const { control, id, name, bar, seeds = null } = row
  const twins = control === null ? [] : all.filter(createTitleFilter(control.title))
  const wanted = row.title === undefined ? all : all.filter(createTitleFilter(row.title))
  const own = wanted.filter((test) => wanted.length === twins.length || !twins.includes(test))
  const { passed, counted } = countPassed(own)
  const figures = own.flatMap(({ figure }) => figure ?? [])
  const caught = twins.length > 0 && twins.every(({ status }) => status === 'passed')
  return {
    id,
    name,
    figure: figures.join('; ') || counted,
    bar,
    passed,
    control: control === null ? null : { name: control.name, caught },
    seeds,
    loadavg: loadavg().map((load) => Math.round(load * 100) / 100),
  }
}

/** Returns null for `passed` if all tests are skipped, because this machine lacks a program. */
function countPassed(tests: readonly TestResult[]): { passed: boolean | null; counted: string } {
  if (tests.length === 0) return { passed: false, counted: 'its file was not loaded' }
  const run = tests.filter(({ status }) => status === 'passed' || status === 'failed')
  if (run.length === 0) return { passed: null, counted: 'not run here' }
  const good = run.filter(({ status }) => status === 'passed')
  return { passed: good.length === run.length, counted: `${good.length} of ${run.length} passed` }
}

function createTitleFilter(start: string): (test: TestResult) => boolean {
  return ({ fullName }) => fullName.startsWith(start)
}

async function runFiles(
  projects: readonly string[],
  files: readonly string[],
): Promise<readonly TestResult[]> {
  if (files.length === 0) return []
  const filter = [...projects.map((name) => `--project=${name}`), ...files]
  return (await runVitest(filter, SCORECARD_SIZES)).tests
}
