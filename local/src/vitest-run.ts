import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PROGRAM_PATH, ROOT } from './environment.ts'

const LINES_OF_A_FAILURE = 12
const LAST_WORDS = 40
/** A shell adds this number to the number of the signal that ended a command. */
const SIGNAL_EXIT_CODE = 128
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const
type StopSignal = (typeof STOP_SIGNALS)[number]

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /**
   * One text for each failure, with the location of the failure and the first lines of its message.
   */
  readonly failures: readonly string[]
  readonly files: readonly FileTime[]
  readonly tests: readonly TestResult[]
}

export interface TestResult {
  /** The path of the test file, relative to the repository root. */
  readonly file: string
  readonly fullName: string
  readonly status: string
  /** What the test measured, in words. */
  readonly figure: string | null
}

export interface FileTime {
  /** The path of the test file, relative to the repository root. */
  readonly file: string
  readonly ms: number
}

const NO_TESTS: TestCounts = {
  passed: 0,
  failed: 0,
  skipped: 0,
  failures: [],
  files: [],
  tests: [],
}

/** The members of vitest's JSON report that this file uses. */
interface Report {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
      readonly meta?: { readonly figure?: string }
    }[]
  }[]
}

/**
 * Runs vitest with visible output and returns the counts from its JSON report. Ends this process
 * after a signal, for example Ctrl-C, so that no further tests start.
 */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TestCounts> {
  const { counts, signal } = await runAndCount(args, env)
  if (signal !== null) process.exit(SIGNAL_EXIT_CODE + constants.signals[signal])
  return counts
}

async function runAndCount(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ counts: TestCounts; signal: StopSignal | null }> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-vitest-'))
  const reportFile = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
    const { code, lastWords, signal } = await spawnVitest([...args, ...reporters], env)
    const isEmpty = code === 0 && args.includes('--passWithNoTests') && !existsSync(reportFile)
    // If no tests are selected, vitest writes no report.
    if (isEmpty) return { counts: NO_TESTS, signal }
    const counts = await readCounts(reportFile)
    if (code === 0 || counts.failed > 0) return { counts, signal }
    // The run failed although no test failed, for example in its setup.
    const failures = [`The test run failed outside its tests. Last output:\n${lastWords}`]
    return { counts: { ...counts, failed: 1, failures }, signal }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function toCounts(report: Report): TestCounts {
  const failures = report.testResults.flatMap(listFailures)
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      file: relative(ROOT, name),
      ms: Math.max(0, endTime - startTime),
    })),
    tests: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, meta }) => ({
        file: relative(ROOT, name),
        fullName: fullName.trim(),
        status,
        figure: meta?.figure ?? null,
      })),
    ),
  }
}

function listFailures(file: Report['testResults'][number]): readonly string[] {
  const path = relative(ROOT, file.name)
  const failed = file.assertionResults.filter(({ status }) => status === 'failed')
  // A file that cannot be loaded has no test results. The file itself is therefore reported as a
  // failure.
  if (file.status === 'failed' && failed.length === 0) return [formatFailure(path, file.message)]
  return failed.map((test) =>
    formatFailure(`${path} > ${test.fullName}`, test.failureMessages.join('\n')),
  )
}

function formatFailure(where: string, message: string): string {
  return [where, ...message.split('\n').slice(0, LINES_OF_A_FAILURE)].join('\n  ')
}

async function spawnVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; lastWords: string; signal: StopSignal | null }> {
  const child = spawn(join(ROOT, 'node_modules', '.bin', 'vitest'), ['run', ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: PROGRAM_PATH, ...env },
    stdio: ['inherit', 'inherit', 'pipe'],
  })
  let received: StopSignal | null = null
  const passOn = (signal: NodeJS.Signals) => {
    // The cast is safe because only these signals are listened to.
    received = signal as StopSignal
    child.kill(signal)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, passOn)
  let lastWords: readonly string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text)
    lastWords = [...lastWords, ...text.trimEnd().split('\n')].slice(-LAST_WORDS)
  })
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', (status) => resolve(status ?? 1))
  })
  for (const signal of STOP_SIGNALS) process.off(signal, passOn)
  return { code, lastWords: lastWords.join('\n'), signal: received }
}

async function readCounts(file: string): Promise<TestCounts> {
  try {
    return toCounts(JSON.parse(await readFile(file, 'utf8')) as Report)
  } catch {
    return { ...NO_TESTS, failed: 1, failures: ['vitest wrote no report'] }
  }
}
