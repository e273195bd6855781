import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  logIn,
  logInNewBrowser,
  openBrowser,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { visitWithSharedUser } from '../../../testing/visit-with-shared-user.ts'

const AN_ID = '0123456789abcdefghjk'
const OPEN = [
  'GET /public/settings',
  'GET /public/status',
  'POST /users/login',
  'POST /users/login/mfa',
  'POST /users/login/passkey/options',
  'POST /users/login/passkey',
  'GET /users/logout',
  'POST /users/logout',
  'POST /public/unsubscribe',
]
const on = { general: { maintenanceMode: true } }

/** Returns the endpoints that a user who is not an administrator may call. */
async function findOpenEndpoints(gateway: TestGateway, who: 'anonymous' | 'investor') {
  const open: string[] = []
  for (const { endpoint } of gateway.routes) {
    const name = `${endpoint.method} ${endpoint.path}`
    const visitor = who === 'investor' ? await visitWithSharedUser(gateway, who) : undefined
    const browser = openBrowser(gateway, visitor)
    const path = endpoint.path.replace(/:\w+/, AN_ID)
    const { status, failure, headers } = await browser.call(endpoint.method, path)
    if (status !== 503 || failure.code !== 'MAINTENANCE') open.push(name)
    else expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  return open
}

describe('T39 maintenance', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, on)
  })
  afterAll(() => gateway.stop())

  test('closes every call to investors and visitors, except the login and unsubscribing', async () => {
    expect((await findOpenEndpoints(gateway, 'anonymous')).toSorted()).toEqual(OPEN.toSorted())
    expect((await findOpenEndpoints(gateway, 'investor')).toSorted()).toEqual(OPEN.toSorted())
  })

  test('lets administrators log in and work, and investors not', async () => {
    const admin = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    expect((await admin.call('GET', '/users')).status).toBe(200)
    const { email } = await visit(gateway, 'investor')
    const refused = await logIn(openBrowser(gateway), email)
    expect(refused).toMatchObject({ status: 503, failure: { code: 'MAINTENANCE' } })
    const wrong = await logIn(openBrowser(gateway), email, `${PASSWORD}!`)
    expect(wrong.status).toBe(401)
    const { body } = await openBrowser(gateway).call('GET', '/public/settings')
    expect(body.data).toMatchObject({ settings: { isMaintenance: true } })
  })

  test('begins and ends under load, each time within a second', async () => {
    const browser = openBrowser(gateway, await visit(gateway, 'investor'))
    for (const isOn of [false, true, false, true]) {
      const content = JSON.stringify({ general: { maintenanceMode: isOn } })
      // The test changes the row directly, as another process would, so this process is not
      // notified.
      await gateway.db.updateTable('platform.setting').set({ content }).execute()
      const savedAt = performance.now()
      const expected = isOn ? 503 : 200
      const seen = new Set<number>()
      for (;;) {
        const calledAt = performance.now()
        const calls = Array.from({ length: 20 }, () => browser.call('GET', '/users/me'))
        const statuses = (await Promise.all(calls)).map(({ status }) => status)
        for (const status of statuses) seen.add(status)
        if (statuses.every((status) => status === expected)) break
        expect(calledAt - savedAt).toBeLessThan(chooseTimeLimit(1_000))
      }
      expect([...seen].every((status) => status === 200 || status === 503)).toBe(true)
    }
  })
})

describe('its sabotaged twin, in which every call stays open', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) => ({
        ...route,
        options: { ...route.options, isOpenInMaintenance: true },
      }),
    })
    await setSettings(gateway, on)
  })
  afterAll(() => gateway.stop())

  test('is caught on all of them', async () => {
    expect(await findOpenEndpoints(gateway, 'investor')).toHaveLength(gateway.routes.length)
  })
})
