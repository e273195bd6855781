import { afterEach, expect, test, vi } from 'vitest'

import { formatSentenceDate } from './sentence-date.ts'

afterEach(() => vi.unstubAllGlobals())

const NOON = '2026-12-21T12:00:00Z'

function formatWith(stored: string | null): string {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'cairn.dates' ? stored : '') })
  return formatSentenceDate(NOON)
}

test.each([
  ['{"language":"de-DE","timeZone":"Pacific/Kiritimati"}', 'Dec 22, 2026'],
  ['{"language":null,"timeZone":"Pacific/Pago_Pago"}', 'Dec 21, 2026'],
  ['{"language":null,"timeZone":null}', 'Dec 21, 2026'],
  ['{"language":null,"timeZone":"Atlantis/Centre"}', 'Dec 21, 2026'],
  ['no JSON', 'Dec 21, 2026'],
  [null, 'Dec 21, 2026'],
])('with the preferences %s, the day is %s', (stored, text) => {
  expect(formatWith(stored)).toBe(text)
})

test('a prerendered page, which has no storage, has the day too', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(formatSentenceDate(NOON)).toBe('Dec 21, 2026')
})
