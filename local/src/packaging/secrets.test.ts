import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecrets, writeSecrets } from './secrets.ts'

const INSTALLATION = {
  databaseUrl: 'postgres://owner:password@db.example/cairn?sslmode=verify-full',
  smtpUrl: 'smtps://mail.example',
  hasSigningKey: true,
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('each process has an account of its own on the database of the installation', () => {
  const secrets = createSecrets(INSTALLATION)
  const urls = [
    secrets.ledger?.LEDGER_DATABASE_URL,
    secrets['ledger-worker']?.LEDGER_WORKER_DATABASE_URL,
    secrets.gateway?.GATEWAY_DATABASE_URL,
    secrets['gateway-worker']?.GATEWAY_WORKER_DATABASE_URL,
  ].map((url = '') => new URL(url))
  expect(urls.map(({ username }) => username)).toEqual([
    'cairn_ledger',
    'cairn_ledger_worker',
    'cairn_gateway',
    'cairn_gateway_worker',
  ])
  const passwords = JSON.parse(secrets.migrate?.ROLE_PASSWORDS ?? '')
  for (const { username, password, host, search } of urls) {
    expect(password).toBe(passwords[username])
    expect(`${host}${search}`).toBe('db.example?sslmode=verify-full')
  }
})

test('the ledger knows the credential of each caller, and no two values are equal', () => {
  const secrets = createSecrets(INSTALLATION)
  const callers = JSON.parse(secrets.ledger?.CALLER_TOKENS ?? '')
  for (const name of Object.keys(callers)) {
    expect(callers[name]).toEqual([secrets[name]?.SERVICE_TOKEN])
  }
  const tokens = Object.values(secrets).flatMap(({ SERVICE_TOKEN = [] }) => SERVICE_TOKEN)
  expect(new Set(tokens).size).toBe(Object.keys(callers).length + 1)
  expect(secrets.gateway?.OUTBOX_KEY).toBe(secrets['gateway-worker']?.OUTBOX_KEY)
  expect(secrets.gateway?.FACTOR_KEY).not.toBe(secrets.gateway?.SESSION_SECRET)
  expect(createSecrets(INSTALLATION).ledger).not.toEqual(secrets.ledger)
})

test('an account with a name of the platform is refused, because verify would report it', () => {
  const databaseUrl = 'postgres://cairn_admin:password@127.0.0.1/cairn'
  expect(() => createSecrets({ ...INSTALLATION, databaseUrl })).toThrow(
    'the account cairn_admin must have another name',
  )
  const allowed = 'postgres://cairn:password@127.0.0.1/cairn'
  expect(createSecrets({ ...INSTALLATION, databaseUrl: allowed }).migrate?.DATABASE_URL).toBe(
    allowed,
  )
})

test('files are readable by their owner only, and are never replaced', () => {
  const secrets = createSecrets(INSTALLATION)
  writeSecrets(folder, secrets)
  const file = join(folder, 'ledger', 'LEDGER_SIGNING_KEY')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'ledger')).mode & 0o777).toBe(0o700)
  expect(() => writeSecrets(folder, createSecrets(INSTALLATION))).toThrow('EEXIST')
  expect(readFileSync(file, 'utf8')).toBe(secrets.ledger?.LEDGER_SIGNING_KEY)
})
