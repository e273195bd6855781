import { expect, test } from 'vitest'

import { findStepOfErrors } from './step-of-error.ts'

test('errors of the sign-up lead to the step that holds their field', () => {
  expect(findStepOfErrors(['email'])).toBe(1)
  expect(findStepOfErrors(['country'])).toBe(2)
  expect(findStepOfErrors(['townCity', 'firstAddress'])).toBe(2)
  expect(findStepOfErrors(['country', 'password'])).toBe(1)
  expect(findStepOfErrors(['refid'])).toBe(1)
  expect(findStepOfErrors([])).toBe(1)
})
