import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readServeConfig, readWorkConfig } from './config.ts'

const token = 't'.repeat(40)
const serve = {
  SERVICE_TOKEN: token,
  LEDGER_DATABASE_URL: 'postgres://cairn_ledger:p@127.0.0.1/cairn',
  LEDGER_PORT: '7000',
  LEDGER_CHECKPOINT_DIR: '/checkpoints',
}
const work = {
  SERVICE_TOKEN: token,
  LEDGER_WORKER_DATABASE_URL: 'postgres://cairn_ledger_worker:p@127.0.0.1/cairn',
  LEDGER_URL: 'http://127.0.0.1:7000',
  WORKER_PORT: '7001',
}
const remote = 'postgres://someone:p@db.example/cairn'

test('on one machine nothing is encrypted', () => {
  expect(readServeConfig(serve)).toMatchObject({ tls: null, address: 'http://127.0.0.1:7000' })
  expect(readWorkConfig(work)).toMatchObject({ tls: null, authorities: [] })
})

test('the ledgers are in one database, or in the places of a directory', () => {
  expect(readServeConfig({ ...serve, LEDGERS: '3' }).places).toEqual([
    {
      name: 'database',
      databaseUrl: serve.LEDGER_DATABASE_URL,
      readUrl: null,
      ledgers: [1, 2, 3],
    },
  ])
  const LEDGER_DIRECTORY = '/missing/directory.json'
  expect(() => readServeConfig({ ...serve, LEDGER_DIRECTORY })).toThrow(
    'set LEDGER_DATABASE_URL or LEDGER_DIRECTORY, not both',
  )
  const { LEDGER_DATABASE_URL: _, ...withoutUrl } = serve
  expect(() => readServeConfig(withoutUrl)).toThrow('set LEDGER_DATABASE_URL or LEDGER_DIRECTORY')
  expect(() => readServeConfig({ ...withoutUrl, LEDGER_DIRECTORY })).toThrow(
    'LEDGER_DIRECTORY names /missing/directory.json, which cannot be read (ENOENT)',
  )
  const LEDGER_READ_URL = 'postgres://127.0.0.1/cairn'
  expect(() => readServeConfig({ ...withoutUrl, LEDGER_DIRECTORY, LEDGER_READ_URL })).toThrow(
    'LEDGER_READ_URL has no effect with LEDGER_DIRECTORY',
  )
})

test('a standby is required only if the environment says so', () => {
  expect(readServeConfig(serve).durability).toBe('local')
  expect(readServeConfig({ ...serve, LEDGER_DURABILITY: 'standby' }).durability).toBe('standby')
  expect(() => readServeConfig({ ...serve, LEDGER_DURABILITY: 'both' })).toThrow(
    'LEDGER_DURABILITY',
  )
})

test.each([
  [
    'a database elsewhere',
    { LEDGER_DATABASE_URL: remote },
    /^LEDGER_DATABASE_URL names a database/,
  ],
  ['an address without https', { LEDGER_ADDRESS: 'http://ledger:7000' }, /^LEDGER_ADDRESS names/],
  ['a peer without https', { LEDGER_PEERS: 'http://ledger:7000' }, /^LEDGER_PEERS names/],
  ['an open port without a certificate', { LEDGER_HOST: '0.0.0.0' }, /^LEDGER_HOST is 0\.0\.0\.0/],
  ['half a certificate', { TLS_CERT_FILE: '/tls.crt' }, /set both or none/],
  ['a missing authority', { TLS_CA_FILE: '/missing' }, /^TLS_CA_FILE names \/missing/],
])('the ledger refuses to start with %s', (_what, change, sentence) => {
  expect(() => readServeConfig({ ...serve, ...change })).toThrow(sentence)
})

test.each([
  ['a database elsewhere', { LEDGER_WORKER_DATABASE_URL: remote }, /^LEDGER_WORKER_DATABASE_URL/],
  ['a ledger without https', { LEDGER_URL: 'http://ledger:7000' }, /^LEDGER_URL names/],
  ['an open port without a certificate', { WORKER_HOST: '0.0.0.0' }, /^WORKER_HOST is 0\.0\.0\.0/],
  ['a missing authority', { TLS_CA_FILE: '/missing' }, /^TLS_CA_FILE names \/missing/],
])('the worker refuses to start with %s', (_what, change, sentence) => {
  expect(() => readWorkConfig({ ...work, ...change })).toThrow(sentence)
})

test('other machines are reached with a verified name', () => {
  const LEDGER_DATABASE_URL = `${remote}?sslmode=verify-full`
  const config = readServeConfig({
    ...serve,
    LEDGER_DATABASE_URL,
    LEDGER_ADDRESS: 'https://l.example',
    LEDGER_PEERS: 'https://m.example,https://n.example',
  })
  expect(config).toMatchObject({
    places: [{ databaseUrl: LEDGER_DATABASE_URL }],
    address: 'https://l.example',
    peers: ['https://m.example', 'https://n.example'],
  })
  expect(readWorkConfig({ ...work, LEDGER_URL: 'https://l.example' }).ledgerUrl).toBe(
    'https://l.example',
  )
})

function readServeSecrets(environment: NodeJS.ProcessEnv) {
  const { token, places } = readServeConfig(environment)
  return { token, databaseUrl: places[0]?.databaseUrl }
}

test.each([
  ['the service', readServeSecrets, serve, 'LEDGER_DATABASE_URL'],
  ['the worker', readWorkConfig, work, 'LEDGER_WORKER_DATABASE_URL'],
] as const)('%s reads its token and its database from files', (_part, read, given, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-config-'))
  const [url, credential] = [join(folder, 'url'), join(folder, 'token')]
  writeFileSync(url, 'postgres://from_file:p@127.0.0.1/cairn\n')
  writeFileSync(credential, 'f'.repeat(40))
  const files = { SERVICE_TOKEN_FILE: credential, [`${name}_FILE`]: url }
  expect(read({ ...given, SERVICE_TOKEN: '', [name]: '', ...files })).toMatchObject({
    token: 'f'.repeat(40),
    databaseUrl: 'postgres://from_file:p@127.0.0.1/cairn',
  })
  rmSync(folder, { recursive: true })
})
