import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { createAuthority, issueCertificate } from '@cairn/local/certificates'
import { readAuthorities, trustAuthorities } from '@cairn/service-kit/service-tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeFetch } from '../../api-gateway/src/platform/ledger-client/node-fetch.ts'
import { createServices, type Services } from './service-processes.ts'
import { startTlsPostgres, type TlsPostgres } from './tls-postgres.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PLAIN_REFUSED = /no pg_hba\.conf entry for host .* no encryption/
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'
const WRONG_AUTHORITY = /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)$/

const ownDefaults = tls.getCACertificates('default')
let folder: string
let postgres: TlsPostgres
let services: Services
let right: { cert: string; key: string }
let misnamed: { cert: string; key: string }
const getPath = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-encrypted-'))
  const [nowMs, names] = [Date.now(), ['localhost']]
  const authority = await createAuthority({ names, nowMs })
  const stranger = await createAuthority({ names, nowMs })
  right = await issueCertificate(authority, { names, nowMs })
  misnamed = await issueCertificate(authority, { names: ['other.localhost'], nowMs })
  await writeFile(getPath('ca.crt'), authority.cert)
  await writeFile(getPath('stranger.crt'), stranger.cert)
  await writeFile(getPath('tls.crt'), right.cert)
  await writeFile(getPath('tls.key'), right.key)
  trustAuthorities(readAuthorities(getPath('ca.crt')))

  postgres = await startTlsPostgres(right)
  const urlFor = (role: string) => postgres.urlFor(role, getPath('ca.crt'))
  const variables = {
    TLS_CERT_FILE: getPath('tls.crt'),
    TLS_KEY_FILE: getPath('tls.key'),
    TLS_CA_FILE: getPath('ca.crt'),
  }
  services = await createServices({ urlFor }, { instances: 1, tls: variables })
  for (const one of services.ledgers) await one.start()
  await Promise.all([...services.gateways, ...services.workers].map((one) => one.start()))
})
afterAll(async () => {
  tls.setDefaultCACertificates(ownDefaults)
  await services?.remove()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Connects with these options; returns the code of the error, or null. */
async function tryConnect(options: pg.ClientConfig): Promise<string | null> {
  const client = new pg.Client(options)
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Runs a part until it ends; returns its exit code and standard error. */
async function run(file: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...env },
  })
  const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, complaints }
}

const migrate = (authorityFile: string) =>
  run('migrations/src/main.ts', { DATABASE_URL: postgres.urlFor(undefined, authorityFile) })

function get(url: string, options: https.RequestOptions): Promise<number | string> {
  return new Promise((settle) => {
    const sending = https.get(url, { ...options, agent: false }, (answer) => {
      answer.resume()
      settle(answer.statusCode ?? 0)
    })
    sending.once('error', (error) => settle('code' in error ? String(error.code) : 'unknown'))
  })
}

describe('the parts over TLS', () => {
  test('are all ready, and the database admits only encrypted connections', async () => {
    const [gateway] = services.gateways
    await expect
      .poll(async () => (await fetch(`${gateway?.url}/readyz`)).json())
      .toMatchObject({ status: 'ready', parts: { part1: true, part2: true, part3: true } })
    expect(services.ledgers[0]?.url).toMatch(/^https:/)

    const client = new pg.Client({
      connectionString: postgres.urlFor(undefined, getPath('ca.crt')),
    })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select distinct split_part(application_name, ' ', 1) as name from pg_stat_activity join pg_stat_ssl using (pid)
       where ssl and application_name <> '' order by 1`,
    )
    await client.end()
    expect(rows.map(({ name }) => name)).toEqual([
      'cairn-gateway',
      'cairn-gateway-jobs',
      'cairn-gateway-live',
      'cairn-gateway-worker',
      'ledger-1',
      'ledger-read',
      'ledger-worker',
      'ledgers-1-lock-keys',
    ])
    const plain = new pg.Client({ connectionString: postgres.getPlainUrl('cairn_gateway') })
    await expect(plain.connect()).rejects.toThrow(PLAIN_REFUSED)
  })

  test('answer only clients that trust the authority', async () => {
    const [ledger] = services.ledgers
    const url = ledger?.url ?? ''
    const ask = () =>
      createLedgerClient({ url, token: services.token, fetch: createNodeFetch() }).ask('head', {
        size: null,
      })
    await ask()
    tls.setDefaultCACertificates(ownDefaults)
    const refused = await ask().catch((error: Error) => error)
    trustAuthorities(readAuthorities(getPath('ca.crt')))
    expect(refused).toMatchObject({ code: 'LEDGER_UNREACHABLE' })
    expect(refused).toMatchObject({ cause: { code: expect.stringMatching(WRONG_AUTHORITY) } })
    await ask()
    const plain = await fetch(url.replace('https:', 'http:')).catch((error: Error) => error)
    expect(plain).toBeInstanceOf(TypeError)
  })

  test('verify the name; sabotaged twin: without verification, a wrong name gets an answer', async () => {
    const server = https.createServer(misnamed, (_, response) => response.end('stolen'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    try {
      const url = `https://localhost:${port}/`
      const failed = await fetch(url).catch((error: Error) => error)
      expect(failed).toMatchObject({ cause: { code: WRONG_NAME } })
      expect(await get(url, {})).toBe(WRONG_NAME)
      expect(await get(url, { rejectUnauthorized: false })).toBe(200)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('a database over TLS', () => {
  test('is migrated where the authority and the name are right', async () => {
    expect(await migrate(getPath('ca.crt'))).toEqual({ code: 0, complaints: '' })
  })

  test('is refused with another authority, at once', async () => {
    const { code, complaints } = await migrate(getPath('stranger.crt'))
    expect([code, complaints]).toEqual([1, expect.stringMatching(/certificate/)])
    const ledger = await run('ledger-service/src/serve.ts', {
      SERVICE_TOKEN: services.token,
      LEDGER_DATABASE_URL: postgres.urlFor('cairn_ledger', getPath('stranger.crt')),
      LEDGER_PORT: '1',
      LEDGER_CHECKPOINT_DIR: folder,
    })
    expect([ledger.code, ledger.complaints]).toEqual([1, expect.stringMatching(/certificate/)])
  })

  test('is refused under another name; sabotaged twin: without verification, it receives the password', async () => {
    await postgres.present(misnamed)
    try {
      const { code, complaints } = await migrate(getPath('ca.crt'))
      expect([code, complaints]).toEqual([1, expect.stringMatching(/does not match certificate/)])
      const connectionString = postgres.urlFor('cairn_gateway', getPath('ca.crt'))
      expect(await tryConnect({ connectionString })).toBe(WRONG_NAME)
      const plain = postgres.getPlainUrl('cairn_gateway')
      const ssl = { rejectUnauthorized: false }
      expect(await tryConnect({ connectionString: plain, ssl })).toBeNull()
    } finally {
      await postgres.present(right)
    }
  })
})
