import { expect, test } from 'vitest'

import { stepOfErrors } from './step-of-error.ts'

test('errors of the sign-up lead to the step that holds their field', () => {
  expect(stepOfErrors(['email'])).toBe(1)
  expect(stepOfErrors(['country'])).toBe(2)
  expect(stepOfErrors(['townCity', 'firstAddress'])).toBe(2)
  expect(stepOfErrors(['country', 'password'])).toBe(1)
  expect(stepOfErrors(['refid'])).toBe(1)
  expect(stepOfErrors([])).toBe(1)
})
