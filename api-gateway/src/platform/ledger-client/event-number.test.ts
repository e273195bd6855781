import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { toSiteNumber, toSiteNumbers } from './event-number.ts'

test('the first ledger keeps its numbers, and no further ledger shares one', () => {
  expect(toSiteNumber(7n, null)).toBe(7n)
  expect(toSiteNumber(7n, 2)).toBe(2_000_000_000_007n)
  expect(toSiteNumber(999_999_999_999n, 2)).toBeLessThan(toSiteNumber(0n, 3))
  expect(toSiteNumber(999_999_999_999n, 1_000)).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER))
})

test('the events of a page and their traces have the same numbers', () => {
  const event = createRecordedEvent({ seq: 4n, type: 'ReserveFunded' })
  const page = { events: [event], size: 5n, traceparents: { '4': 'a trace' } }
  expect(toSiteNumbers(page, null)).toBe(page)
  const numbered = toSiteNumbers(page, 3)
  expect(numbered.events[0]?.seq).toBe(3_000_000_000_004n)
  expect(numbered.traceparents).toEqual({ '3000000000004': 'a trace' })
})
