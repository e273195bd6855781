import { expect, test } from 'vitest'

import { toInstant, toSpan } from './wall-clock.ts'

test.each([
  ['2026-11-21T14:30', 'UTC', '2026-11-21T14:30:00.000Z'],
  ['2026-11-21T14:30', 'Asia/Kolkata', '2026-11-21T09:00:00.000Z'],
  ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00.000Z'],
  ['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  // The first digit of a year already makes a complete time.
  ['0002-11-21T14:30', 'UTC', '0002-11-21T14:30:00.000Z'],
  ['2026-03-08T23:00', 'America/New_York', '2026-03-09T03:00:00.000Z'],
])('%s in %s is %s', (typed, zone, instant) => {
  expect(toInstant(typed, zone)).toBe(instant)
})

test('incomplete input is not a time', () => {
  expect(toInstant('', 'UTC')).toBeNull()
  expect(toInstant('2026-11-2', 'UTC')).toBeNull()
  expect(toInstant('2026-11-21T', 'UTC')).toBeNull()
})

test('a span includes both of its days, also a day of 25 hours', () => {
  expect(toSpan({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  })
  expect(toSpan({ from: '0026-11-21' }, 'UTC')).toEqual({ from: '0026-11-21T00:00:00.000Z' })
  expect(toSpan({ to: '2026-02-30x' }, 'UTC')).toEqual({})
})
