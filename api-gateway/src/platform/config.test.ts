import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAdminConfig, readServeConfig, readWorkConfig } from './config.ts'

const secret = 's'.repeat(40)
const shared = {
  LEDGER_URL: 'http://127.0.0.1:7000',
  SERVICE_TOKEN: secret,
  OUTBOX_KEY: secret,
  PUBLIC_URL: 'https://invest.example',
}
const serve = {
  ...shared,
  SESSION_SECRET: secret,
  FACTOR_KEY: secret,
  GATEWAY_DATABASE_URL: 'postgres://cairn_gateway:p@127.0.0.1/cairn',
}
const work = {
  ...shared,
  GATEWAY_WORKER_DATABASE_URL: 'postgres://cairn_gateway_worker:p@127.0.0.1/cairn',
  SMTP_URL: 'smtp://127.0.0.1:1025',
}
const remote = 'postgres://someone:p@db.example/cairn?sslmode=require'
const secondLedger = { LEDGER_URL: 'https://one.example,http://two.example' }

test.each([
  ['a database elsewhere', { GATEWAY_DATABASE_URL: remote }, /^GATEWAY_DATABASE_URL names/],
  ['a second ledger without https', secondLedger, /^LEDGER_URL names http:\/\/two\.example/],
  ['a worker without https', { WORKER_URLS: 'http://worker:7001' }, /^WORKER_URLS names/],
  ['a health check without https', { READY_URLS: 'http://mail:1080/healthz' }, /^READY_URLS names/],
  ['a missing authority', { TLS_CA_FILE: '/missing' }, /^TLS_CA_FILE names \/missing/],
])('the gateway refuses to start with %s', (_what, change, sentence) => {
  expect(() => readServeConfig({ ...serve, ...change })).toThrow(sentence)
})

test.each([
  ['a database elsewhere', { GATEWAY_WORKER_DATABASE_URL: remote }, /^GATEWAY_WORKER_DATABASE_URL/],
  ['a second ledger without https', secondLedger, /^LEDGER_URL names http:\/\/two\.example/],
  ['a worker without https', { WORKER_URLS: 'http://worker:7001' }, /^WORKER_URLS names/],
  ['an open port without a certificate', { WORKER_HOST: '0.0.0.0' }, /^WORKER_HOST is 0\.0\.0\.0/],
  ['half a certificate', { TLS_KEY_FILE: '/tls.key' }, /set both or none/],
])('the worker refuses to start with %s', (_what, change, sentence) => {
  expect(() => readWorkConfig({ ...work, ...change })).toThrow(sentence)
})

test.each([
  ['a database elsewhere', { GATEWAY_DATABASE_URL: remote }, /^GATEWAY_DATABASE_URL names/],
  ['a second ledger without https', secondLedger, /^LEDGER_URL names http:\/\/two\.example/],
])('the admin command refuses to start with %s', (_what, change, sentence) => {
  expect(() => readAdminConfig({ ...serve, ...change })).toThrow(sentence)
})

test('other machines are reached with a verified name', () => {
  const GATEWAY_DATABASE_URL = 'postgres://someone:p@db.example/cairn?sslmode=verify-full'
  const WORKER_URLS = 'https://one.example:7001,https://two.example:7002'
  const config = readServeConfig({ ...serve, GATEWAY_DATABASE_URL, WORKER_URLS, HOST: '0.0.0.0' })
  expect(config).toMatchObject({
    databaseUrl: GATEWAY_DATABASE_URL,
    workerUrls: ['https://one.example:7001', 'https://two.example:7002'],
  })
})

test('the worker reads its mail server from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-config-'))
  const file = join(folder, 'smtp')
  writeFileSync(file, 'smtps://user:p@mail.example\n')
  const given = { ...work, SMTP_URL: '', SMTP_URL_FILE: file }
  expect(readWorkConfig(given).smtpUrl).toBe('smtps://user:p@mail.example')
  expect(() => readWorkConfig({ ...work, SMTP_URL_FILE: file })).toThrow('not both')
  rmSync(folder, { recursive: true })
})
