import { expect, test } from 'vitest'
import { maskedNumber } from './masked-number.ts'

test('of an account number only the end is shown', () => {
  expect(maskedNumber('DE89370400440532013000')).toBe('•••• 3000')
  expect(maskedNumber('12345')).toBe('•••• 2345')
  expect(maskedNumber('1234')).toBe('1234')
})
