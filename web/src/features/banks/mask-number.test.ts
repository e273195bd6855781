import { expect, test } from 'vitest'
import { maskNumber } from './mask-number.ts'

test('only the end of an account number is shown', () => {
  expect(maskNumber('DE89370400440532013000')).toBe('•••• 3000')
  expect(maskNumber('12345')).toBe('•••• 2345')
  expect(maskNumber('1234')).toBe('1234')
})
