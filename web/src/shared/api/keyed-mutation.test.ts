import { ApiError } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { createSubmission } from './keyed-mutation.ts'

function createTestSubmission() {
  let made = 0
  const { getRequest, settle } = createSubmission(() => {
    made += 1
    return `key-${made}`
  }, String)
  return { getKey: (content: string) => getRequest(content).key, settle }
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

test('a retry after a login or a step-up sends the same key', () => {
  const { getKey, settle } = createTestSubmission()
  expect(getKey('pay 100')).toBe('key-1')
  settle(answer(503))
  settle(answer(401))
  settle(new ApiError({ status: 403, code: 'STEP_UP_REQUIRED', message: 'x' }))
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

test('a retry without an answer sends the content that the key was first sent with', () => {
  type Opening = { amount: string; riskVersion: string }
  const { getRequest, settle } = createSubmission(
    () => 'a key',
    ({ amount }: Opening) => amount,
  )
  const first = { amount: '100', riskVersion: 'old' }
  expect(getRequest(first).content).toBe(first)
  settle(answer(503))
  const changed = { amount: '100', riskVersion: 'new' }
  expect(getRequest(changed).content).toBe(first)
  settle(answer(409))
  expect(getRequest(changed).content).toBe(changed)
})
