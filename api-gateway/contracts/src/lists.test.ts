import { expect, test } from 'vitest'
import { createDayField } from './fields.ts'
import { Moment } from './lists.ts'

test.each([
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T13:59:59+14:00', null],
  ['0000-12-31', null],
  ['0000-01-01T00:00:00Z', null],
  ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59-00:01', null],
  ['2026-02-30', null],
])('the moment %s is %s', (text, parsed) => {
  expect(Moment.safeParse(text).data ?? null).toBe(parsed)
})

test.each([
  ['0000-12-31', 'must be a date from the year 1 to 9999'],
  ['0001-01-01', undefined],
  ['9999-12-31', undefined],
  ['10000-01-01', 'must be a date'],
])('the day %s has the problem %s', (day, message) => {
  expect(createDayField().safeParse(day).error?.issues[0]?.message).toBe(message)
})
