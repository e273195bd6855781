import { ApiError } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { createSubmission } from './submission-key.ts'

function createTestSubmission() {
  let made = 0
  return createSubmission(() => {
    made += 1
    return `key-${made}`
  })
}
const answer = (status: number) => new ApiError({ status, code: 'X', message: 'x' })

test('a double click and a retry without an answer send the same key', () => {
  const { keyFor, settle } = createTestSubmission()
  expect(keyFor('pay 100')).toBe('key-1')
  expect(keyFor('pay 100')).toBe('key-1')
  settle(answer(0))
  settle(answer(503))
  settle(answer(429))
  expect(keyFor('pay 100')).toBe('key-1')
})

test('after a success or a refusal the next submission has a new key', () => {
  const { keyFor, settle } = createTestSubmission()
  keyFor('pay 100')
  settle()
  expect(keyFor('pay 100')).toBe('key-2')
  settle(answer(422))
  expect(keyFor('pay 100')).toBe('key-3')
})

test('other content has another key', () => {
  const { keyFor } = createTestSubmission()
  expect(keyFor('pay 100')).not.toBe(keyFor('pay 200'))
})
