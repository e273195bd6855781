import { expect, test } from 'vitest'

import { findRiskText } from './risk-text.ts'

const everybody = { country: null, countryName: null, text: 'Everywhere', version: 'a' }
const british = { country: 'GB', countryName: 'United Kingdom', text: 'There', version: 'b' }
const settings = { riskTexts: [everybody, british] }

test('a country with a text of its own has it, every other one that of everybody', () => {
  expect(findRiskText(settings, 'GB')).toBe(british)
  expect(findRiskText(settings, 'US')).toBe(everybody)
  expect(findRiskText(settings, null)).toBe(everybody)
  expect(findRiskText(settings, '')).toBe(everybody)
})

test('what is not known yet is not said', () => {
  expect(findRiskText(undefined, 'GB')).toBeUndefined()
})
