import { expect, test } from 'vitest'
import { generalSettings } from './general-settings.ts'

const { form } = generalSettings.termsUrl

test.each([
  ['https://example.com/terms', 'https://example.com/terms'],
  ['', null],
  [undefined, null],
])('%s is the address %s of a legal text', (given, stored) => {
  expect(form.parse(given)).toBe(stored)
})

test.each([
  'http://example.com/terms',
  'javascript:alert(1)',
  'https://user@example.com/terms',
  'https://example.com/our terms',
  `https://example.com/${'x'.repeat(300)}`,
])('%s is refused as the address of a legal text', (given) => {
  expect(form.safeParse(given).success).toBe(false)
})
