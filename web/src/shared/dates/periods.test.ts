import { describe, expect, test } from 'vitest'

import { readDateFilter } from './date-filter.ts'
import { createReaderClock, getFirstDayOfPeriod, type Period } from './periods.ts'

const createClock = (now: string, timeZone = 'UTC', language: string | null = null) =>
  createReaderClock({ timeZone, language }, Date.parse(now))
const getFirstDay = (period: Period, now: string, language: string | null = null) =>
  getFirstDayOfPeriod(period, createClock(now, 'UTC', language))
const readFilter = (search: string, clock: ReturnType<typeof createClock>) =>
  readDateFilter(new URLSearchParams(search), clock)

test('a month and a quarter begin on their first day', () => {
  expect(getFirstDay('today', '2026-11-21T15:30:00Z')).toBe('2026-11-21')
  expect(getFirstDay('month', '2026-11-21T15:30:00Z')).toBe('2026-11-01')
  expect(getFirstDay('quarter', '2026-11-21T15:30:00Z')).toBe('2026-10-01')
  expect(getFirstDay('quarter', '2026-03-31T15:30:00Z')).toBe('2026-01-01')
})

test('a week begins on Monday, also for a Sunday and across months', () => {
  expect(getFirstDay('week', '2026-11-21T12:00:00Z')).toBe('2026-11-16')
  expect(getFirstDay('week', '2026-11-22T09:00:00Z')).toBe('2026-11-16')
  expect(getFirstDay('week', '2026-11-16T00:01:00Z')).toBe('2026-11-16')
  expect(getFirstDay('week', '2026-11-01T09:00:00Z')).toBe('2026-10-26')
})

test('a chosen language can begin the week on another day', () => {
  expect(getFirstDay('week', '2026-11-21T12:00:00Z', 'en-US')).toBe('2026-11-15')
  expect(getFirstDay('week', '2026-11-22T12:00:00Z', 'en-US')).toBe('2026-11-22')
  expect(getFirstDay('week', '2026-11-22T12:00:00Z', 'de-DE')).toBe('2026-11-16')
})

describe('the period in a request', () => {
  test('is today in the zone of the reader', () => {
    const now = '2026-11-21T20:00:00Z'
    expect(readFilter('date=today', createClock(now, 'Asia/Kolkata'))).toEqual({
      from: '2026-11-21T18:30:00.000Z',
    })
    expect(readFilter('date=today', createClock(now, 'America/New_York'))).toEqual({
      from: '2026-11-21T05:00:00.000Z',
    })
  })

  test('begins at midnight of the offset before the clock change', () => {
    // In Berlin clocks went back on Sunday 25 October: the week and the month began in summer time.
    const berlin = createClock('2026-10-25T12:00:00Z', 'Europe/Berlin')
    expect(readFilter('date=week', berlin)).toEqual({ from: '2026-10-18T22:00:00.000Z' })
    expect(readFilter('date=month', berlin)).toEqual({ from: '2026-09-30T22:00:00.000Z' })
    const winter = createClock('2026-11-21T12:00:00Z', 'Europe/Berlin')
    expect(readFilter('date=quarter', winter)).toEqual({ from: '2026-09-30T22:00:00.000Z' })
    expect(readFilter('date=month', winter)).toEqual({ from: '2026-10-31T23:00:00.000Z' })
  })

  test('includes both days of a span, also a day of 25 hours', () => {
    const berlin = createClock('2026-11-21T12:00:00Z', 'Europe/Berlin')
    expect(readFilter('date=custom&since=2026-10-25&until=2026-10-25', berlin)).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    })
    expect(readFilter('date=custom&since=2026-10-25', berlin)).toEqual({
      from: '2026-10-24T22:00:00.000Z',
    })
    expect(readFilter('date=custom&since=soon&until=2026-13-40', berlin)).toEqual({})
  })
})
