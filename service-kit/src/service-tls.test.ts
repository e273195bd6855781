import { afterEach, expect, test, vi } from 'vitest'
import { readServerTls, requireHttps, requireListenerTls } from './service-tls.ts'

afterEach(() => vi.unstubAllEnvs())

const check = (...urls: string[]) => requireHttps('LEDGER_URL', urls)

test('services on this machine and services with https may be called', () => {
  const urls = [
    'http://127.0.0.1:7000',
    'http://[::1]:7000',
    'http://localhost',
    'https://a.example',
  ]
  expect(check(...urls)).toEqual(urls)
  expect(check()).toEqual([])
})

test.each([
  'http://ledger-service:7000',
  'http://10.0.0.5:7000',
  'http://0.0.0.0:7000',
  'http://ledger.localhost:7000',
  'http://127.0.0.1.example',
  'ftp://127.0.0.1',
])('%s is refused, also beside an allowed one', (url) => {
  expect(() => check('https://a.example', url)).toThrow(
    /^LEDGER_URL names .*, which is not this machine: use an https address/,
  )
})

test('what is not a URL is refused', () => {
  expect(() => check('ledger:')).not.toThrow('is not a URL')
  expect(() => check('ledger')).toThrow('LEDGER_URL contains "ledger", which is not a URL')
})

test('a variable that turns verification off is refused', () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(() => check('https://a.example')).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0')
  expect(check('http://127.0.0.1')).toEqual(['http://127.0.0.1'])
})

test('a server that other machines reach needs a certificate', () => {
  const listen = (host: string) => requireListenerTls('WORKER_HOST', host, null)
  for (const host of ['0.0.0.0', '::', '', '10.0.0.5', 'worker']) {
    expect(() => listen(host)).toThrow('other machines reach: set TLS_CERT_FILE and TLS_KEY_FILE')
  }
  for (const host of ['127.0.0.1', '::1', 'localhost']) expect(listen(host)).toBeUndefined()
  requireListenerTls('WORKER_HOST', '0.0.0.0', { cert: 'c', key: 'k' })
})

test('a certificate needs its key, and a key its certificate', () => {
  expect(readServerTls({})).toBeNull()
  expect(readServerTls({ TLS_CERT_FILE: '', TLS_KEY_FILE: '' })).toBeNull()
  expect(() => readServerTls({ TLS_CERT_FILE: '/c' })).toThrow('set both or none')
  expect(() => readServerTls({ TLS_KEY_FILE: '/k' })).toThrow('set both or none')
  expect(() => readServerTls({ TLS_CERT_FILE: '/missing', TLS_KEY_FILE: '/k' })).toThrow(
    'TLS_CERT_FILE names /missing, which cannot be read',
  )
})
