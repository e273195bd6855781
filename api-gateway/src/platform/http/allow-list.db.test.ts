import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  logIn,
  logInNewBrowser,
  openBrowser,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const LIST = ['203.0.113.7', '198.51.100.0/30', '2001:db8:1::/48', '2001:db8:2::9']
const REFUSED = { status: 403, failure: { code: 'ADDRESS_NOT_ALLOWED' } }

/**
 * Returns the header of a trusted proxy. The last address in the header is the address that the
 * proxy saw.
 */
const createProxyHeader = (chain: string) => ({ 'x-forwarded-for': chain })

const INSIDE = [
  '203.0.113.7',
  '198.51.100.0',
  '198.51.100.3',
  '::ffff:203.0.113.7',
  '::FFFF:198.51.100.1',
  '2001:db8:1::1',
  '2001:DB8:1:ffff:ffff:ffff:ffff:ffff',
  '2001:db8:2:0:0:0:0:9',
]
const OUTSIDE = [
  '203.0.113.6',
  '203.0.113.8',
  '198.51.99.255',
  '198.51.100.4',
  '2001:db8:2::8',
  '2001:db8:2::a',
  '2001:db8::1',
  '2001:db8:1:0:0:0:0:0:1',
  '::ffff:203.0.113.8',
  '::203.0.113.7',
  '203.0.113.007',
  '0xcb.0.113.7',
  '3405803783',
  '203.0.113.7.',
  '203.0.113.7:80',
  '[2001:db8:2::9]',
  '203.0.113.7/32',
  '2001:db8:2::9%eth0',
  'localhost',
  'unknown',
]
// Headers in which the client has inserted the allowed address and the proxy has added the real
// address of the client.
const SPOOFED = ['203.0.113.7', '198.51.100.1', '2001:db8:1::1', '::ffff:203.0.113.7'].flatMap(
  (inside) => [
    `${inside}, 192.0.2.1`,
    `${inside},192.0.2.1`,
    `${inside}, ${inside}, 192.0.2.1`,
    `${inside}, garbage`,
  ],
)

async function findBypasses(browser: Browser): Promise<readonly string[]> {
  const let_in: string[] = []
  for (const chain of [...OUTSIDE, ...SPOOFED]) {
    const { status } = await browser.call('GET', '/users', undefined, createProxyHeader(chain))
    if (status === 200) let_in.push(chain)
  }
  const headers = {
    forwarded: 'for=203.0.113.7',
    'x-real-ip': '203.0.113.7',
    'x-client-ip': '203.0.113.7',
    'true-client-ip': '203.0.113.7',
  }
  for (const [name, value] of Object.entries(headers)) {
    const sent = { ...createProxyHeader('192.0.2.1'), [name]: value }
    if ((await browser.call('GET', '/users', undefined, sent)).status === 200) let_in.push(name)
  }
  return let_in
}

describe('T38 the list of addresses of administrators', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ trustProxyHops: 1 })
  })
  afterEach(() => setSettings(gateway, {}))
  afterAll(() => gateway.stop())

  test('refuses 40 spellings of other addresses', async () => {
    const { email } = await visit(gateway, 'admin')
    const browser = await logInNewBrowser(gateway, email)
    await setSettings(gateway, { security: { ipWhitelist: LIST } })
    expect(OUTSIDE.length + SPOOFED.length + 4).toBe(40)
    expect(await findBypasses(browser)).toEqual([])
    for (const address of INSIDE) {
      const reply = await browser.call('GET', '/users', undefined, createProxyHeader(address))
      expect(reply.status, address).toBe(200)
    }
  })

  test('holds for a session that is open, for logins, and not for investors', async () => {
    const { email } = await visit(gateway, 'admin')
    const investor = await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)
    const browser = await logInNewBrowser(gateway, email)
    await setSettings(gateway, { security: { ipWhitelist: LIST } })
    for (const path of ['/users', '/transactions/recent', '/paymentOptions']) {
      expect(await browser.call('GET', path)).toMatchObject(REFUSED)
    }
    expect(await logIn(openBrowser(gateway), email)).toMatchObject(REFUSED)
    expect((await investor.call('GET', '/users/me')).status).toBe(200)
  })

  test('is in force within a second in a process that did not save it', async () => {
    const { email } = await visit(gateway, 'admin')
    const browser = await logInNewBrowser(gateway, email)
    expect((await browser.call('GET', '/users')).status).toBe(200)
    const now = new Date()
    const row = { content: JSON.stringify({ security: { ipWhitelist: LIST } }), updated_at: now }
    // The test changes the row directly, as another process would, so this process is not notified.
    await gateway.db.updateTable('platform.setting').set(row).where('id', '=', 'site').execute()
    const savedAt = performance.now()
    let calledAt = savedAt
    while ((await browser.call('GET', '/users')).status === 200) {
      expect(calledAt - savedAt).toBeLessThan(chooseTimeLimit(1_000))
      calledAt = performance.now()
    }
  })
})

describe('without a proxy in front', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('no header names an address', async () => {
    const browser = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    await setSettings(gateway, { security: { ipWhitelist: LIST } })
    for (const address of INSIDE) {
      const reply = await browser.call('GET', '/users', undefined, createProxyHeader(address))
      expect(reply).toMatchObject(REFUSED)
    }
  })
})

describe('its sabotaged twin, which believes the first address of the chain', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ trustProxyHops: 3 })
  })
  afterAll(() => gateway.stop())

  test('is passed by every caller who sends an allowed address', async () => {
    const browser = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    await setSettings(gateway, { security: { ipWhitelist: LIST } })
    const bypasses = await findBypasses(browser)
    expect(bypasses).toEqual(expect.arrayContaining([...SPOOFED]))
  })
})
