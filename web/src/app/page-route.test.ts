import { expect, test } from 'vitest'

import { resolvePath } from '../shared/url/navigation.tsx'
import { findManageRoute } from './manage-routes.ts'
import { findPublicRoute } from './public-routes.ts'

const find = (path: string) => findPublicRoute(path) ?? findManageRoute(path)

test('a path is found in any case and with a slash at its end', () => {
  expect(find('/About_Us/')?.page.title).toBe('About us')
  expect(find('/')?.page.path).toBe('/')
  expect(find('/about_us/more')).toBeNull()
})

test('the parameters of a path are decoded, if they can be', () => {
  expect(find('/manage/admin/accounts/wallet%3Aanna')?.params).toEqual({ account: 'wallet:anna' })
  expect(find('/manage/admin/accounts/100%')?.params).toEqual({ account: '100%' })
  expect(find('/manage/admin/accounts/')?.page.path).toBe('/manage/admin/accounts')
})

test('a link is resolved on the page that has it', () => {
  const from = { pathname: '/manage/admin/audit', search: '?page=2', hash: '' }
  expect(resolvePath('?actor=7', from)).toBe('/manage/admin/audit?actor=7')
  expect(resolvePath('/faqs#fees', from)).toBe('/faqs#fees')
  expect(resolvePath('', from)).toBe('/manage/admin/audit?page=2')
})

test.each(['//evil.example/x', '/\\evil.example/x', 'https://evil.example/x', '/..//evil.example'])(
  'the link %s stays on this site',
  (link) => {
    const path = resolvePath(link, { pathname: '/', search: '', hash: '' })
    expect(new URL(path, 'https://cairn.example').host).toBe('cairn.example')
  },
)

test('a page at a path with two slashes does not link to another site', () => {
  const from = { pathname: '//evil.example/x', search: '', hash: '' }
  const path = resolvePath('?page=2', from)
  expect(new URL(path, 'https://cairn.example').host).toBe('cairn.example')
})
