import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createAuthority, issueCertificate } from '@cairn/local/certificates'
import { findFreePort } from '@cairn/local/free-port'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { createKeyRing } from '../../api-gateway/src/platform/keys/key-ring.ts'
import { addUser, PASSWORD } from '../../api-gateway/testing/test-gateway.ts'
import { type EventStream, type Http2Browser, openHttp2Browser } from './http2-client.ts'
import { createServices, SESSION_SECRET, type Services } from './service-processes.ts'

const CADDYFILE = resolve(import.meta.dirname, '..', '..', 'ops', 'caddy', 'Caddyfile')
const FORGED = { 'x-forwarded-for': '203.0.113.9' }
const POSITION = 'event: position'
const EVENTS = '/api/v1/events'
const LOGIN = '/api/v1/users/login'
const EMAIL = 'admin@cairn.example'

/** True if a change has arrived that was not missed before the stream was opened. */
function hasChangeAfterPosition(stream: EventStream): boolean {
  return stream.getReceived().split(POSITION).slice(1).join().includes('event: change')
}

const isInstalled = spawnSync('caddy', ['version']).error === undefined
if (!isInstalled && process.env.CI !== 'true') {
  console.warn('skipped: Caddy is not installed (apt-get install caddy)')
}

describe.skipIf(!isInstalled && process.env.CI !== 'true')('Caddy in front of two gateways', () => {
  let folder: string
  let ca: string
  let database: TestDatabase
  let db: Database
  let services: Services
  let ledger: LedgerClient
  let investorId: string
  let url: string
  const started: ChildProcess[] = []
  const browsers: Http2Browser[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-caddy-'))
    const wanted = { names: ['localhost'], nowMs: Date.now() }
    const authority = await createAuthority(wanted)
    const { cert, key } = await issueCertificate(authority, wanted)
    ca = authority.cert
    await writeFile(join(folder, 'tls.crt'), cert)
    await writeFile(join(folder, 'tls.key'), key)
    const port = await findFreePort()
    database = await createTestDatabase()
    services = await createServices(database, {
      instances: 2,
      gatewayEnv: {
        PUBLIC_URL: `https://localhost:${port}`,
        TRUST_PROXY_HOPS: '1',
        RATE_LIMIT_SCALE: '1',
      },
    })
    for (const one of services.ledgers) await one.start()
    await Promise.all(services.gateways.map((one) => one.start()))
    db = openDatabase({
      url: database.urlFor('cairn_gateway'),
      applicationName: 'test',
      onError: () => {},
    })
    const deps = { clock: Date, sessionKeys: createKeyRing({ value: SESSION_SECRET }) }
    const { ledgers, token } = services
    ledger = createLedgerClient({ url: ledgers[0]?.url ?? '', token })
    const store = { db, deps, ledger: { unrecorded: ledger } }
    await addUser(store, { role: 'admin', status: 'active', email: EMAIL })
    investorId = await addUser(store, { role: 'user', status: 'active' })
    url = await startCaddy(port)
  })
  afterAll(async () => {
    for (const browser of browsers) browser.close()
    for (const child of started) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await services?.remove()
    await db?.destroy()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts Caddy with the configuration of the repository; returns the URL of the site. */
  async function startCaddy(port: number, change = (text: string) => text): Promise<string> {
    const file = join(folder, `Caddyfile-${port}`)
    // Port 80 is left alone: redirects to https are a function of Caddy itself.
    const text = (await readFile(CADDYFILE, 'utf8')).replace(
      'admin off',
      'admin off\n\tauto_https disable_redirects',
    )
    await writeFile(file, change(text))
    const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        CAIRN_SITE: `localhost:${port}`,
        CAIRN_GATEWAYS: services.gateways.map((one) => new URL(one.url).host).join(' '),
        CAIRN_TLS: `tls ${join(folder, 'tls.crt')} ${join(folder, 'tls.key')}`,
      },
    })
    started.push(child)
    const siteUrl = `https://localhost:${port}`
    while ((await openBrowser({ siteUrl })) === null) {
      if (child.exitCode !== null) throw new Error(`Caddy ended with ${child.exitCode}`)
      await delay(50)
    }
    return siteUrl
  }

  /** Opens a browser on this loopback address; null if the site does not accept connections. */
  async function openBrowser({ siteUrl = url, address = '127.0.0.2' } = {}) {
    const browser = await openHttp2Browser(siteUrl, { ca, address }).catch(() => null)
    if (browser !== null) browsers.push(browser)
    return browser
  }

  async function getBrowser(options: Parameters<typeof openBrowser>[0] = {}) {
    const browser = await openBrowser(options)
    if (browser === null) throw new Error('the site does not answer')
    return browser
  }

  async function logIn(options: Parameters<typeof openBrowser>[0] = {}) {
    const browser = await getBrowser(options)
    const answer = await browser.send('POST', LOGIN, { email: EMAIL, password: PASSWORD }, FORGED)
    expect(answer.status).toBe(200)
    return { browser, answer }
  }

  async function readLastLogin(): Promise<string | undefined> {
    const row = await db
      .selectFrom('platform.audit')
      .select('ip')
      .where('action', '=', 'user.login')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row?.ip
  }

  /** Makes an event of the ledger; returns the status of the answer. */
  async function changeBalance(browser: Http2Browser, key: string = randomUUID()): Promise<number> {
    const body = { wallet_type: 'balance', amount: '1.00', reason: 'test' }
    const headers = { 'idempotency-key': key }
    const path = `/api/v1/users/${investorId}/wallets`
    return (await browser.send('PATCH', path, body, headers)).status
  }

  async function readBalance(): Promise<bigint> {
    const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
    return investors[0]?.available.balance ?? 0n
  }

  test('logs in over HTTP/2 and gives the gateway the address of the client', async () => {
    const { browser, answer } = await logIn({ address: '127.0.0.7' })
    expect(answer.headers['set-cookie']?.join()).toContain('Secure')
    expect(answer.headers['strict-transport-security']).toContain('max-age=')
    expect((await browser.send('GET', '/api/v1/users/me')).status).toBe(200)
    expect(await readLastLogin()).toBe('127.0.0.7')
  })

  test('sabotaged twin: without the proxy, the gateway believes the address of a header', async () => {
    const [gateway] = services.gateways
    const response = await fetch(`${gateway?.url}${LOGIN}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        ...FORGED,
      },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    })
    expect(response.status).toBe(200)
    expect(await readLastLogin()).toBe(FORGED['x-forwarded-for'])
  })

  test('limits each client by its own address', async () => {
    const browser = await getBrowser({ address: '127.0.0.8' })
    const forge = (count: number) => ({ 'x-forwarded-for': `203.0.113.${count}` })
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count += 1) {
      statuses.add((await browser.send('POST', LOGIN, {}, forge(count))).status)
    }
    expect([...statuses].at(-1)).toBe(429)
    expect((await logIn({ address: '127.0.0.9' })).answer.status).toBe(200)
  })

  test('hides the metrics, which a gateway shows to its own machine', async () => {
    const [gateway] = services.gateways
    expect((await fetch(`${gateway?.url}/metrics`)).status).toBe(200)
    const browser = await getBrowser()
    expect((await browser.send('GET', '/metrics')).status).toBe(404)
  })

  test('passes each message of an event stream on at once', async () => {
    const { browser } = await logIn()
    const stream = await browser.open(EVENTS)
    await expect.poll(stream.getReceived).toContain(POSITION)
    const isChanged = () => hasChangeAfterPosition(stream)
    expect(isChanged()).toBe(false)
    await changeBalance(browser)
    await expect.poll(isChanged).toBe(true)
  })

  test('sabotaged twin: a proxy that collects answers passes no message on', async () => {
    const collecting = await startCaddy(await findFreePort(), (text) =>
      text.replace('lb_policy', 'buffer_responses\n\t\tlb_policy'),
    )
    const { browser } = await logIn()
    const stream = await browser.open(EVENTS)
    const { browser: other } = await logIn({ siteUrl: collecting })
    const collected = await other.open(EVENTS)
    await expect.poll(stream.getReceived).toContain(POSITION)
    await changeBalance(other)
    await expect.poll(() => hasChangeAfterPosition(stream)).toBe(true)
    expect(collected.getReceived()).toBe('')
  })

  test('loses and doubles no payment while the gateways restart one after the other', async () => {
    const { browser } = await logIn()
    const before = await readBalance()
    let paid = 0
    let isRestarting = true
    const paying = (async () => {
      while (isRestarting) {
        expect((await browser.send('GET', '/api/v1/users/me')).status).toBe(200)
        const key = randomUUID()
        // The proxy does not repeat a call with a body. The client does, with the same key.
        let status = await changeBalance(browser, key)
        while (status === 502 || status === 503) {
          await delay(50)
          status = await changeBalance(browser, key)
        }
        expect(status).toBe(200)
        paid += 1
      }
    })()
    for (const gateway of services.gateways) {
      await gateway.end('SIGTERM')
      const count = paid
      await Promise.race([paying, expect.poll(() => paid).toBeGreaterThan(count + 3)])
      await gateway.start()
    }
    isRestarting = false
    await paying
    expect(await readBalance()).toBe(before + 100n * BigInt(paid))
  })
})
