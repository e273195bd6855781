import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../testing/recorded-event.ts'
import { isNews } from './is-news.ts'

const DAY_MS = 86_400_000
const RECORDED_MS = Date.parse('2026-03-08T01:00:00Z')

test.each([
  ['DepositApproved', 'admin:ada', 59 / 1_440, true],
  ['DepositApproved', 'admin:ada', 60 / 1_440, false],
  ['InvestmentMatured', 'system:accruals', 6.9, true],
  ['InvestmentMatured', 'user:ann', 6.9, true],
  ['InvestmentMatured', 'system:accruals', 7, false],
  ['InvestmentMatured', 'system:demo', 59 / 1_440, true],
  ['InvestmentMatured', 'system:demo', 1, false],
])('%s of %s that is recorded %f days late: %s', (type, actor, lateDays, expected) => {
  const recordedAt = new Date(RECORDED_MS).toISOString()
  const effectiveAt = new Date(RECORDED_MS - lateDays * DAY_MS).toISOString()
  expect(isNews(createRecordedEvent({ type, actor, recordedAt, effectiveAt }))).toBe(expected)
})
