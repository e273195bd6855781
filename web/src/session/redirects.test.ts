import { describe, expect, test } from 'vitest'

import { destinationAfterLogin } from './destination.ts'
import { knownLoginMessage } from './login-messages.ts'
import { loginPath } from './redirects.ts'

describe('where a login leads', () => {
  test('to the attempted page, with its filters', () => {
    expect(destinationAfterLogin('user', '/manage/investor/transactions?page=2')).toBe(
      '/manage/investor/transactions?page=2',
    )
  })

  test.each([
    null,
    '',
    'https://evil.example/manage/investor/dashboard',
    '//evil.example/manage/investor/',
    '/\\evil.example/manage/investor/',
    '/manage/investor/../admin/users',
    '/manage/../users/login',
    'javascript:alert(1)',
    '/about_us',
    '/manage/admin/users',
  ])('to the own dashboard for %j', (redirectTo) => {
    expect(destinationAfterLogin('user', redirectTo)).toBe('/manage/investor/dashboard')
  })

  test('an admin is led to admin pages only', () => {
    expect(destinationAfterLogin('admin', '/manage/admin/users')).toBe('/manage/admin/users')
    expect(destinationAfterLogin('admin', '/manage/investor/deposit')).toBe(
      '/manage/admin/dashboard',
    )
  })

  test('the way back is written into the login link', () => {
    const search = new URL(
      loginPath('You must login first', '/manage/admin/users?q=a&page=2'),
      'http://a.example',
    ).searchParams
    expect(search.get('message')).toBe('You must login first')
    expect(search.get('redirectTo')).toBe('/manage/admin/users?q=a&page=2')
  })
})

describe('the message above the login form', () => {
  test('is one of ours or none', () => {
    expect(knownLoginMessage('You must login first')).toBe('You must login first')
    expect(knownLoginMessage('Your account is locked, call +1 555')).toBeNull()
    expect(knownLoginMessage(null)).toBeNull()
  })
})
