import { expect, test } from 'vitest'
import { generalSettings } from './general-settings.ts'
import { getFormShape } from './setting-kinds.ts'

const { form } = generalSettings.termsUrl

test.each([
  ['https://example.com/terms', 'https://example.com/terms'],
  ['https://example.com/@firm/terms', 'https://example.com/@firm/terms'],
  ['', null],
])('%s is the address %s of a legal text', (given, stored) => {
  expect(form.parse(given)).toBe(stored)
})

test.each([
  'http://example.com/terms',
  'javascript:alert(1)',
  'https://user@example.com/terms',
  'example.com/terms',
  'https://example.com/our terms',
  `https://example.com/${'x'.repeat(300)}`,
])('%s is refused as the address of a legal text', (given) => {
  expect(form.safeParse(given).success).toBe(false)
})

test('an address that is not sent keeps its value', () => {
  expect(getFormShape({ termsUrl: generalSettings.termsUrl }).termsUrl.parse(undefined)).toBe(
    undefined,
  )
})
