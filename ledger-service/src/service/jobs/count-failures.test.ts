import { pino } from 'pino'
import { expect, test } from 'vitest'
import { jobFailures } from '../metrics/metrics.ts'
import { countFailures } from './count-failures.ts'

test('a failed job is counted and logged with its reason, and fails', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ name: 'ledger-worker' }, { write: (line) => lines.push(JSON.parse(line)) })
  const run = countFailures({ queue: 'accruals.test', log }, async () => {
    throw new Error('500 accruals failed and stay due')
  })
  await expect(run()).rejects.toThrow('stay due')
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: 'job failed, will be retried',
      queue: 'accruals.test',
      err: { message: '500 accruals failed and stay due' },
    },
  ])
  const { values } = await jobFailures.get()
  expect(values).toEqual([{ labels: { queue: 'accruals.test' }, value: 1 }])
})

test('a job that succeeds is neither counted nor logged', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  await countFailures({ queue: 'accruals.calm', log }, async () => {})()
  expect(lines).toEqual([])
  const { values } = await jobFailures.get()
  expect(values.filter(({ labels }) => labels.queue === 'accruals.calm')).toEqual([])
})
