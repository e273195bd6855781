import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './environment.ts'
import { toCounts } from './vitest-run.ts'

const TIMES = { startTime: 1_000, endTime: 1_250 }
const PASSED = {
  status: 'passed',
  fullName: ' money stays',
  failureMessages: [],
  meta: { figure: '9 cents' },
}
const FAILED = {
  status: 'failed',
  fullName: 'money moves once',
  failureMessages: [`expected 1 to be 2\n${'at somewhere\n'.repeat(30)}`],
}

function createReport(...testResults: Parameters<typeof toCounts>[0]['testResults'][number][]) {
  return { numPassedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults }
}

test('a failed test is reported with its file, title and first lines', () => {
  const name = join(ROOT, 'e2e', 'src', 'money.test.ts')
  const counts = toCounts(
    createReport({
      name,
      ...TIMES,
      status: 'failed',
      message: '',
      assertionResults: [PASSED, FAILED],
    }),
  )
  expect(counts).toMatchObject({ passed: 1, failed: 1, skipped: 3 })
  const file = 'e2e/src/money.test.ts'
  expect(counts.files).toEqual([{ file, ms: 250 }])
  expect(counts.tests).toEqual([
    { file, fullName: 'money stays', status: 'passed', figure: '9 cents' },
    { file, fullName: 'money moves once', status: 'failed', figure: null },
  ])
  const lines = counts.failures[0]?.split('\n') ?? []
  expect(lines.slice(0, 2)).toEqual([
    'e2e/src/money.test.ts > money moves once',
    '  expected 1 to be 2',
  ])
  expect(lines).toHaveLength(13)
})

test('a file that cannot be loaded counts as a failure', () => {
  const name = join(ROOT, 'web', 'broken.test.ts')
  const counts = toCounts(
    createReport({
      name,
      ...TIMES,
      status: 'failed',
      message: 'no such module',
      assertionResults: [],
    }),
  )
  expect(counts.failures).toEqual(['web/broken.test.ts\n  no such module'])
  expect(counts.failed).toBe(1)
})

test('after Ctrl-C no further tests start', async () => {
  const program = `
    import { runVitest } from ${JSON.stringify(join(import.meta.dirname, 'vitest-run.ts'))}
    for (const part of ['ledger-service', 'api-gateway']) await runVitest(['--project=unit', part], {})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    // The first line of a run, whose tests take longer than the signal.
    if (!child.killed && output.includes('RUN')) child.kill('SIGINT')
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(130)
  expect(output.match(/RUN/g)).toHaveLength(1)
})
