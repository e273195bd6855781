import { expect, test } from 'vitest'
import { readServeConfig } from './config.ts'

const SECRET = 's'.repeat(40)
const environment = {
  LEDGER_URL: 'http://127.0.0.1:7000',
  SERVICE_TOKEN: SECRET,
  OUTBOX_KEY: SECRET,
  SESSION_SECRET: SECRET,
  FACTOR_KEY: SECRET,
  GATEWAY_DATABASE_URL: 'postgres://cairn_gateway:p@127.0.0.1/cairn',
  PUBLIC_URL: 'https://invest.example',
  DEMO: '0',
}

test('a public site starts with secrets of its own, over https and without the demo', () => {
  expect(readServeConfig(environment).publicUrl).toBe('https://invest.example')
})

test.each([
  ['the demo', { DEMO: '1' }, /^DEMO=1 creates accounts with published passwords/m],
  ['http', { PUBLIC_URL: 'http://invest.example' }, /PUBLIC_URL begins with http/],
  [
    'a published session secret',
    { SESSION_SECRET: 'try-out-only-session-secret-0123456789abcdef' },
    /SESSION_SECRET contains a published example value/,
  ],
  [
    'a published database password',
    { GATEWAY_DATABASE_URL: 'postgres://cairn_gateway:try-out-only@127.0.0.1/cairn' },
    /GATEWAY_DATABASE_URL contains a published example value/,
  ],
])('a public site refuses to start with %s', (_what, change, sentence) => {
  expect(() => readServeConfig({ ...environment, ...change })).toThrow(sentence)
})

test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
  'at %s everything is allowed',
  (PUBLIC_URL) => {
    const tryOut = { DEMO: '1', SESSION_SECRET: 'try-out-only-session-secret', PUBLIC_URL }
    expect(readServeConfig({ ...environment, ...tryOut }).isDemo).toBe(true)
  },
)

test.each(['SESSION_SECRET', 'FACTOR_KEY', 'OUTBOX_KEY'])('%s must be set, and long', (name) => {
  const start = (value: string) => () => readServeConfig({ ...environment, [name]: value })
  expect(start('')).toThrow(name)
  expect(start('short')).toThrow(`${name}: expected one secret of at least 16 characters`)
  expect(start(`${SECRET},${SECRET}2`)).not.toThrow()
})

test.each(['http://localhost.example', 'http://127.0.0.1.example', 'http://xlocalhost'])(
  '%s is not the loopback address',
  (PUBLIC_URL) => {
    expect(() => readServeConfig({ ...environment, PUBLIC_URL })).toThrow('PUBLIC_URL')
  },
)
