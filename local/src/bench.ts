import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './environment.ts'

// `npm run bench -- …` runs the benchmarks of the ledger, or with `--only gateway` or `--only site`
// those of the gateway and the pages. Each benchmark starts its own PostgreSQL, so a running platform
// affects only the measured times.
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    large: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
  },
})
const { only } = values
const isPlatformWanted =
  only !== undefined && ['gateway', 'site'].some((bench) => bench.includes(only))
const selection = only === undefined ? [] : ['--only', only]
const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-rows-'))
const codes: number[] = []
const files: string[] = []

if (!isPlatformWanted) {
  await run('ledger-service/bench/main.ts', [...selection, ...(values.large ? ['--large'] : [])])
}
if (isPlatformWanted) await run('e2e/bench/main.ts', selection)
if (values.json !== undefined) {
  const rows = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
  )
  // A relative path refers to the directory in which the command was started.
  const target = resolve(process.env.INIT_CWD ?? process.cwd(), values.json)
  await writeFile(target, `${JSON.stringify(rows.flat(), null, 2)}\n`)
}
await rm(folder, { recursive: true, force: true })
process.exit(Math.max(...codes))

async function run(script: string, args: readonly string[]): Promise<void> {
  const file = join(folder, `${files.length}.json`)
  const given = [join(ROOT, script), '--seconds', values.seconds, '--json', file, ...args]
  const child = spawn(process.execPath, given, { stdio: 'inherit' })
  const end = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  const code = await new Promise<number>((done) => child.once('exit', (value) => done(value ?? 1)))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end)
  codes.push(code)
  // A benchmark that did not reach its end has written no results.
  if (
    await readFile(file).then(
      () => true,
      () => false,
    )
  )
    files.push(file)
}
