import { afterEach, expect, test, vi } from 'vitest'

import { getHiddenMoney } from '../money/currency.ts'
import { formatMoney } from '../money/money.ts'
import { getSite, restoreSite, setSite } from './site.ts'

const DEFAULTS = { name: 'Cairn', currency: 'USD' }

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
})
afterEach(() => {
  setSite(DEFAULTS)
  stored.clear()
})

test('amounts have the currency of the site', () => {
  expect(formatMoney(-123_450n)).toBe('-$1,234.50')
  setSite({ name: 'Rock', currency: 'EUR' })
  expect(formatMoney(-123_450n)).toBe('-€1,234.50')
  expect(getHiddenMoney()).toBe('€••••')
})

test('the next visit begins with the stored copy', () => {
  setSite({ name: 'Rock', currency: 'GBP' })
  const copy = stored.get('cairn.site') ?? ''
  setSite(DEFAULTS)
  stored.set('cairn.site', copy)
  restoreSite()
  expect(getSite()).toEqual({ name: 'Rock', currency: 'GBP', moneyPrefix: '£' })
})

test.each(['{', 'null', '{"name":1,"currency":"USD"}', '{"name":"Rock","currency":"euro"}'])(
  'a damaged copy %s changes nothing',
  (copy) => {
    stored.set('cairn.site', copy)
    restoreSite()
    expect(getSite()).toEqual({ ...DEFAULTS, moneyPrefix: '$' })
  },
)
