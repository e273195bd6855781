import { describe, expect, test } from 'vitest'

import { addDays, getDayIn, getDayStart, isTimeZone } from './calendar.ts'

const formatDayStart = (timeZone: string, day: string) =>
  new Date(getDayStart(timeZone, day)).toISOString()

describe('a day begins', () => {
  test.each([
    ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['UTC', '0026-11-21', '0026-11-21T00:00:00.000Z'],
    ['UTC', '0004-02-29', '0004-02-29T00:00:00.000Z'],
    // The local time of Berlin, before time zones.
    ['Europe/Berlin', '0099-12-31', '0099-12-30T23:06:32.000Z'],
    ['Asia/Kolkata', '2026-11-21', '2026-11-20T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z'],
    // In Berlin, clocks go forward at 02:00 on 29 March and back at 03:00 on 25 October.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    // In Cairo, clocks skip midnight on this day, so the day begins at 01:00.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    // In Cairo, clocks go back from 24:00 to 23:00. The repeated hour belongs to the day that ends.
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
    // In Havana, clocks go back from 01:00 to 00:00. The day begins at the first of the two
    // midnights.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ])('in %s on %s', (zone, day, at) => {
    expect(formatDayStart(zone, day)).toBe(at)
  })

  test.each(['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe'])(
    'right after the day before has ended, on each day of a year in %s',
    (zone) => {
      for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
        const atMs = getDayStart(zone, day)
        expect(getDayIn(zone, atMs)).toBe(day)
        expect(getDayIn(zone, atMs - 1)).toBe(addDays(day, -1))
      }
    },
  )
})

test('only IANA names are accepted as time zones', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('UTC')).toBe(true)
  expect(isTimeZone('+05:30')).toBe(false)
  expect(isTimeZone('ACT')).toBe(false)
  expect(isTimeZone('Europe/Nowhere')).toBe(false)
  expect(isTimeZone("x'; drop table")).toBe(false)
})
