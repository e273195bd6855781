import { expect, test } from 'vitest'
import { nameSilentLedger } from './failed-state.tsx'

const FAILED = 'The list could not be loaded.'

test('a message names the ledger that did not answer', () => {
  const text = 'Ledger 2 cannot be reached. Please try again in a moment.'
  expect(nameSilentLedger(new Error(text), FAILED)).toBe(`${FAILED} ${text}`)
})

test.each([
  new Error('The ledger cannot be reached. Please try again in a moment.'),
  new Error('Something went very wrong!'),
  new Error('not answered'),
  null,
])('another fault of the server is not described: %s', (error) => {
  expect(nameSilentLedger(error, FAILED)).toBe(FAILED)
})
