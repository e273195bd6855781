import { expect, test } from 'vitest'

import { describeImpairment } from './describe-impairment.ts'

const SITE = { part: 'site', state: 'working' } as const

test('the part that is impaired is named', () => {
  expect(describeImpairment([SITE, { part: 'mail', state: 'away' }])).toBe('Email is not working')
  expect(describeImpairment([SITE, { part: 'workers', state: 'delayed' }])).toBe(
    'Background work is delayed',
  )
  expect(describeImpairment([{ part: 'workers', state: 'unknown' }])).toBe(
    'Background work: state unknown',
  )
})

test('several impaired parts are counted', () => {
  const parts = [
    SITE,
    { part: 'mail', state: 'away' },
    { part: 'ledger', state: 'unknown' },
  ] as const
  expect(describeImpairment(parts)).toBe('2 systems need attention')
})

test('working parts are not described', () => {
  expect(describeImpairment([SITE])).toBeNull()
})
