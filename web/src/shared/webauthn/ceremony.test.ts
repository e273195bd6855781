import { expect, test } from 'vitest'
import { explainNoPasskeys } from './ceremony.ts'

const page = { hostname: 'cairn.example', port: '', isSecureContext: true, hasWebAuthn: true }

test('a named site with https has passkeys', () => {
  expect(explainNoPasskeys(page)).toBeNull()
  expect(explainNoPasskeys({ ...page, hostname: 'localhost', port: '8080' })).toBeNull()
})

test.each([
  [{ hostname: '127.0.0.1', port: '8080' }, 'Open http://localhost:8080 instead'],
  [{ hostname: '[::1]', port: '' }, 'Open http://localhost instead'],
  [{ hostname: '192.0.2.7' }, 'Open this site by its domain name'],
  [{ hostname: '[2001:db8::7]' }, 'Open this site by its domain name'],
  [{ isSecureContext: false, hasWebAuthn: false }, 'need a secure connection'],
  [{ hasWebAuthn: false }, 'This browser does not support passkeys'],
])('%j says why it has none', (change, reason) => {
  expect(explainNoPasskeys({ ...page, ...change })).toContain(reason)
})
