import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PROGRAM_PATH, ROOT } from './environment.ts'

export interface CheckResult {
  readonly name: string
  readonly passed: boolean
  readonly output: string
}

interface Check {
  readonly name: string
  run(): Promise<Omit<CheckResult, 'name'>>
}

const LINES_MAX = { source: 300, test: 400 } as const
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.data', 'coverage'])
const SOURCE_FILE = /(?<!\.generated)\.(ts|tsx|mjs|cjs|css|sql)$/
const FOLDERS = [
  'service-kit',
  'ledger-service',
  'api-gateway',
  'web',
  'migrations',
  'local',
  'e2e',
]

export const STATIC_CHECKS: readonly Check[] = [
  { name: 'types', run: () => runProgram('tsc', ['--noEmit', '-p', 'tsconfig.json']) },
  { name: 'lint', run: () => runProgram('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'file lengths', run: checkLengths },
]

export async function runChecks(
  checks: readonly Check[],
  log: (line: string) => void,
): Promise<readonly CheckResult[]> {
  // The checks run in parallel. The type checker uses one core, and all other checks share the
  // second core.
  return Promise.all(
    checks.map(async (check) => {
      const began = Date.now()
      const result = { name: check.name, ...(await check.run()) }
      const seconds = ((Date.now() - began) / 1000).toFixed(1)
      log(`${result.passed ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`)
      if (!result.passed) log(result.output.trimEnd())
      return result
    }),
  )
}

async function checkBoundaries(): Promise<Omit<CheckResult, 'name'>> {
  const result = await runProgram('depcruise', ['--config', '.dependency-cruiser.cjs', ...FOLDERS])
  // If the tool cannot read the imports, it finds few modules and therefore reports no violation.
  const cruised = Number(/(\d{1,9}) modules/.exec(result.output)?.[1] ?? 0)
  const least = FOLDERS.length * 2
  if (cruised >= least) return result
  return { passed: false, output: `${result.output}\nonly ${cruised} modules were read` }
}

async function checkLengths(): Promise<Omit<CheckResult, 'name'>> {
  const complaints: string[] = []
  for (const file of await listSourceFiles(ROOT)) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').length
    const limit = /\.test\.tsx?$/.test(file) ? LINES_MAX.test : LINES_MAX.source
    if (lines > limit) complaints.push(`${relative(ROOT, file)}: ${lines} lines, at most ${limit}`)
  }
  return { passed: complaints.length === 0, output: complaints.join('\n') }
}

async function listSourceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listSourceFiles(path)
      return SOURCE_FILE.test(entry.name) ? [path] : []
    }),
  )
  return found.flat()
}

function runProgram(name: string, args: readonly string[]): Promise<Omit<CheckResult, 'name'>> {
  const child = spawn(join(ROOT, 'node_modules', '.bin', name), args, {
    cwd: ROOT,
    env: { ...process.env, PATH: PROGRAM_PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ passed: false, output: error.message }))
    child.once('close', (code) => resolve({ passed: code === 0, output }))
  })
}
