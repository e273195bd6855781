import { expect, test } from 'vitest'

import { findFigure } from './claim-figure.ts'

const toEvidence = (label: string, value: string) => [{ label, value, link: null, isLimit: false }]

test('the number of a claim is read from its leading line of evidence', () => {
  const reserve = toEvidence('Reserve', '$11,695.86 covers $11,695.86 promised (99.5%)')
  expect(findFigure({ key: 'profit-guarantee', evidence: reserve })).toBe('99.5%')
  const speed = toEvidence('Nine out of ten within', '412 ms, of 900 events')
  expect(findFigure({ key: 'real-time-tracking', evidence: speed })).toBe('412 ms')
})

test('a claim without a measured number has none', () => {
  const hours = toEvidence('Hours', '24 hours')
  expect(findFigure({ key: 'support-hours', evidence: hours })).toBeNull()
  expect(findFigure({ key: 'free-transfers', evidence: [] })).toBeNull()
})
