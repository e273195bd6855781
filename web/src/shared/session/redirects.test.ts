import { describe, expect, test } from 'vitest'

import { findLoginMessage } from './login-messages.ts'
import { buildLoginPath } from './redirects.ts'

test('the login link contains the attempted path', () => {
  const search = new URL(
    buildLoginPath('You must login first', '/manage/admin/users?q=a&page=2'),
    'http://a.example',
  ).searchParams
  expect(search.get('message')).toBe('You must login first')
  expect(search.get('redirectTo')).toBe('/manage/admin/users?q=a&page=2')
})

describe('the message above the login form', () => {
  test('is a known message or none', () => {
    expect(findLoginMessage('You must login first')).toBe('You must login first')
    expect(findLoginMessage('Your account is locked, call +1 555')).toBeNull()
    expect(findLoginMessage(null)).toBeNull()
  })
})
