import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../testing/recorded-event.ts'
import { getNewsTime, isNews } from './is-news.ts'

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

test('news that was recorded late is listed at the time of its recording', () => {
  const recordedAt = '2026-11-29T10:00:00.000Z'
  const early = '2026-11-29T09:30:00.000Z'
  expect(getNewsTime({ recordedAt, effectiveAt: early })).toBe(early)
  expect(getNewsTime({ recordedAt, effectiveAt: '2026-11-27T10:00:00.000Z' })).toBe(recordedAt)
})
