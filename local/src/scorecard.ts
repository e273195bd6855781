import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './environment.ts'
import { ATTACK_ROWS } from './scorecard-attacks.ts'
import { CONTROL_ROWS } from './scorecard-controls.ts'
import { IDENTITY_ROWS } from './scorecard-identity.ts'
import { SCORECARD, type ScorecardRow } from './scorecard-rows.ts'
import { WORK_ROWS } from './scorecard-work.ts'
import { SCORECARD_SIZES } from './test-sizes.ts'

// `npm run scorecard [-- --json FILE] [--only T15,T16]` runs the tests of each row of the scorecard
// and the sabotaged twins of these tests.

interface Test {
  readonly fullName: string
  readonly status: string
  readonly meta?: { figure?: string }
}

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
const folder = await mkdtemp(join(tmpdir(), 'cairn-scorecard-'))
const report = join(folder, 'report.json')
await runTests(report)
const byFile = await readTests(report)
await rm(folder, { recursive: true, force: true })

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
  const all = byFile.get(join(ROOT, row.file)) ?? []
  const { control, id, name, bar, seeds = null } = row
  const twins = control === null ? [] : all.filter(createTitleFilter(control.title))
  const wanted = row.title === undefined ? all : all.filter(createTitleFilter(row.title))
  const own = wanted.filter((test) => wanted.length === twins.length || !twins.includes(test))
  const run = own.filter(({ status }) => status === 'passed' || status === 'failed')
  const good = run.filter(({ status }) => status === 'passed')
  const counted = run.length === 0 ? 'not run here' : `${good.length} of ${run.length} passed`
  const figures = own.flatMap(({ meta }) => meta?.figure ?? [])
  const caught = twins.length > 0 && twins.every(({ status }) => status === 'passed')
  return {
    id,
    name,
    figure: figures.join('; ') || counted,
    bar,
    passed: run.length === 0 ? null : good.length === run.length,
    control: control === null ? null : { name: control.name, caught },
    seeds,
    loadavg: loadavg().map((load) => Math.round(load * 100) / 100),
  }
}

function createTitleFilter(start: string): (test: Test) => boolean {
  return ({ fullName }) => fullName.trim().startsWith(start)
}

function runTests(file: string): Promise<void> {
  const files = [...new Set(rows.map((row) => row.file))]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const projects = ['unit', 'db', 'e2e', 'faults'].map((name) => `--project=${name}`)
  const vitest = join(ROOT, 'node_modules', '.bin', 'vitest')
  const args = ['run', ...projects, ...files, ...reporters]
  const env = { ...process.env, ...SCORECARD_SIZES }
  const child = spawn(vitest, args, { cwd: ROOT, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
}

async function readTests(file: string): Promise<ReadonlyMap<string, readonly Test[]>> {
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as {
    testResults: readonly { name: string; assertionResults: readonly Test[] }[]
  }
  return new Map(testResults.map(({ name, assertionResults }) => [name, assertionResults]))
}
