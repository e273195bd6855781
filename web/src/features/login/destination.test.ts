import { describe, expect, test } from 'vitest'

import { findLoginDestination } from './destination.ts'

describe('the destination of a login', () => {
  test('is the attempted page with its filters', () => {
    expect(findLoginDestination('user', '/manage/investor/transactions?page=2')).toBe(
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
  ])('is the own dashboard for %j', (redirectTo) => {
    expect(findLoginDestination('user', redirectTo)).toBe('/manage/investor/dashboard')
  })

  test('an admin is led to admin pages only', () => {
    expect(findLoginDestination('admin', '/manage/admin/users')).toBe('/manage/admin/users')
    expect(findLoginDestination('admin', '/manage/investor/deposit')).toBe(
      '/manage/admin/dashboard',
    )
  })
})
