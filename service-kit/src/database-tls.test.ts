import { afterEach, expect, test, vi } from 'vitest'
import { requireDatabaseTls } from './database-tls.ts'

afterEach(() => vi.unstubAllEnvs())

const check = (url: string) => requireDatabaseTls('DATABASE_URL', url)

test.each([
  'postgres://me:secret@127.0.0.1:5432/cairn',
  'postgres://me:secret@127.8.9.10/cairn',
  'postgres://me:secret@[::1]:5432/cairn',
  'postgres://me:secret@localhost/cairn',
  'postgres://me:secret@localhost/cairn?host=/var/run/postgresql',
  '/var/run/postgresql cairn',
  'postgres://me:secret@db.example/cairn?sslmode=verify-full',
  'postgres://me:secret@10.0.0.5:6432/cairn?application_name=x&sslmode=verify-full',
])('%s may be used', (url) => {
  expect(check(url)).toBe(url)
})

test.each([
  ['postgres://me:secret@db.example/cairn', 'db.example'],
  ['postgres://me:secret@10.0.0.5/cairn', '10.0.0.5'],
  ['postgres://me:secret@127.0.0.1.example/cairn', '127.0.0.1.example'],
  ['postgres://me:secret@db.localhost/cairn', 'db.localhost'],
  ['postgres://me:secret@localhost/cairn?host=db.example', 'db.example'],
  ['postgres://me:secret@db.example/cairn?ssl=true', 'db.example'],
  ['postgres://me:secret@db.example/cairn?ssl=no-verify', 'db.example'],
  ...['disable', 'prefer', 'require', 'verify-ca', 'no-verify'].map((mode) => [
    `postgres://me:secret@db.example/cairn?sslmode=${mode}`,
    'db.example',
  ]),
  // If the URL contains `sslmode` twice, node-postgres uses the last value.
  ['postgres://me:secret@db.example/cairn?sslmode=verify-full&sslmode=disable', 'db.example'],
])('%s is refused', (url, host) => {
  expect(() => check(url)).toThrow(
    `DATABASE_URL names a database on ${host}, which is not this machine: add sslmode=verify-full`,
  )
})

test('a host of the environment counts where the URL names none', () => {
  vi.stubEnv('PGHOST', 'db.example')
  expect(() => check('postgres:///cairn')).toThrow('names a database on db.example')
})

test('a variable that turns verification off is refused', () => {
  const url = 'postgres://me:secret@db.example/cairn?sslmode=verify-full'
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(() => check(url)).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate')
})

test.each([
  'postgres://me:secret@db.example/cairn?sslmode=verify-full&sslrootcert=/missing/ca.crt',
  'postgres://me:secret@db.example:port/cairn',
])('a URL that cannot be used is refused without its password: %s', (url) => {
  expect(() => check(url)).toThrow(/^DATABASE_URL cannot be used \((ENOENT|ERR_INVALID_URL)\)/)
  expect(() => check(url)).not.toThrow('secret')
})
