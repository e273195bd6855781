import { ApiError } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { createSubmission } from './keyed-mutation.ts'

function createTestSubmission() {
  let made = 0
  return createSubmission(() => {
    made += 1
    return `key-${made}`
  })
}
const answer = (status: number) => new ApiError({ status, code: 'X', message: 'x' })

test('a double click and a retry without an answer send the same key', () => {
  const { getKey, settle } = createTestSubmission()
  expect(getKey('pay 100')).toBe('key-1')
  expect(getKey('pay 100')).toBe('key-1')
  settle(answer(0))
  settle(answer(503))
  settle(answer(429))
  expect(getKey('pay 100')).toBe('key-1')
})

test('after a success or a refusal the next submission has a new key', () => {
  const { getKey, settle } = createTestSubmission()
  getKey('pay 100')
  settle()
  expect(getKey('pay 100')).toBe('key-2')
  settle(answer(422))
  expect(getKey('pay 100')).toBe('key-3')
})

test('other content has another key', () => {
  const { getKey } = createTestSubmission()
  expect(getKey('pay 100')).not.toBe(getKey('pay 200'))
})
