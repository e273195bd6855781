import { describe, expect, test } from 'vitest'

import { knownLoginMessage } from './login-messages.ts'
import { loginPath } from './redirects.ts'

test('the way back is written into the login link', () => {
  const search = new URL(
    loginPath('You must login first', '/manage/admin/users?q=a&page=2'),
    'http://a.example',
  ).searchParams
  expect(search.get('message')).toBe('You must login first')
  expect(search.get('redirectTo')).toBe('/manage/admin/users?q=a&page=2')
})

describe('the message above the login form', () => {
  test('is one of ours or none', () => {
    expect(knownLoginMessage('You must login first')).toBe('You must login first')
    expect(knownLoginMessage('Your account is locked, call +1 555')).toBeNull()
    expect(knownLoginMessage(null)).toBeNull()
  })
})
