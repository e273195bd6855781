import { expect, test } from 'vitest'

import { findRiskText } from './risk-text.ts'

const general = { country: null, countryName: null, text: 'Everywhere', version: 'a' }
const british = { country: 'GB', countryName: 'United Kingdom', text: 'There', version: 'b' }
const settings = { riskTexts: [general, british] }

test('a country without a text of its own has the general text', () => {
  expect(findRiskText(settings, 'GB')).toBe(british)
  expect(findRiskText(settings, 'US')).toBe(general)
  expect(findRiskText(settings, null)).toBe(general)
  expect(findRiskText(settings, '')).toBe(general)
})

test('no text is returned before the settings have loaded', () => {
  expect(findRiskText(undefined, 'GB')).toBeUndefined()
})
