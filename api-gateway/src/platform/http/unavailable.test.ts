import { expect, test } from 'vitest'
import { toHttpFailure } from './failure.ts'
import { isUnavailable } from './unavailable.ts'

const createError = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['a server that is down', createError('ECONNREFUSED')],
  ['a full disk', createError('53100')],
  ['a server that stops', createError('57P01')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['no free connection', new Error('timeout exceeded when trying to connect')],
  ['an error with such a cause', new Error('the upload failed', { cause: createError('EPIPE') })],
])('%s is answered with 503 and the time of the next attempt', (_what, error) => {
  expect(isUnavailable(error)).toBe(true)
  expect(toHttpFailure(error)).toMatchObject({
    status: 503,
    code: 'SERVER_UNAVAILABLE',
    retryAfterSeconds: 5,
  })
})

test.each([
  ['a violated constraint', createError('23505')],
  ['a missing table', createError('42P01')],
  ['a bug', new TypeError('x is not a function')],
  ['a value that is no error', 'ECONNREFUSED'],
])('%s is a bug of the server', (_what, error) => {
  expect(isUnavailable(error)).toBe(false)
  expect(toHttpFailure(error)).toMatchObject({ status: 500, code: 'INTERNAL' })
})
