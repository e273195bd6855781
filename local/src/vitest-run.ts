import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM_PATH, ROOT } from './environment.ts'

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs vitest where the person can watch it and counts from its own report. */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TestCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-vitest-'))
  const reportFile = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
    const code = await run([...args, ...reporters], env)
    const counts = await countsFrom(reportFile)
    // A run that ends badly without a failed test broke outside of the tests.
    if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1 }
    return counts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(join(ROOT, 'node_modules', '.bin', 'vitest'), ['run', ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: PROGRAM_PATH, ...env },
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

async function countsFrom(file: string): Promise<TestCounts> {
  try {
    const report = JSON.parse(await readFile(file, 'utf8'))
    return {
      passed: Number(report.numPassedTests),
      failed: Number(report.numFailedTests) + brokenFiles(report),
      skipped: Number(report.numPendingTests) + Number(report.numTodoTests),
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** A file that cannot even be loaded has no test that could fail. */
function brokenFiles(report: {
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[]
}): number {
  return report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
}
