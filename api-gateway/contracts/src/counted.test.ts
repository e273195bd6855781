import { expect, test } from 'vitest'

import { formatCounted } from './counted.ts'

test.each([
  [0, '0 events'],
  [1, '1 event'],
  [1n, '1 event'],
  [999, '999 events'],
  [1_402n, '1,402 events'],
  [12_345_678, '12,345,678 events'],
])('%s is counted', (count, text) => {
  expect(formatCounted(count, 'event')).toBe(text)
})

test('an irregular plural is used', () => {
  expect(formatCounted(1, 'entry', 'entries')).toBe('1 entry')
  expect(formatCounted(2, 'entry', 'entries')).toBe('2 entries')
})
