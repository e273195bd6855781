import { expect, test } from 'vitest'

import { riskTextFor } from './risk-text.ts'

const everybody = { country: null, countryName: null, text: 'Everywhere', version: 'a' }
const british = { country: 'GB', countryName: 'United Kingdom', text: 'There', version: 'b' }
const settings = { riskTexts: [everybody, british] }

test('a country with a text of its own has it, every other one that of everybody', () => {
  expect(riskTextFor(settings, 'GB')).toBe(british)
  expect(riskTextFor(settings, 'US')).toBe(everybody)
  expect(riskTextFor(settings, null)).toBe(everybody)
  expect(riskTextFor(settings, '')).toBe(everybody)
})

test('what is not known yet is not said', () => {
  expect(riskTextFor(undefined, 'GB')).toBeUndefined()
})
