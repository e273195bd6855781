import { createId } from '@cairn/ledger-contracts'
import { ensureWeb } from '@cairn/local/web-build'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyRing } from '../../api-gateway/src/platform/keys/key-ring.ts'
import { addFundedUser, fund, record } from '../../api-gateway/testing/further-ledger.ts'
import { addUser, openVisit, send, type Visitor } from '../../api-gateway/testing/test-gateway.ts'
import { plan30Days } from '../../ledger-service/test/support/test-ledger.ts'
import type { TwoPlaces } from '../../ledger-service/test/support/two-places.ts'
import { launchBrowser } from './browser.ts'
import {
  CALLER_TOKENS,
  createServices,
  SESSION_SECRET,
  type Services,
} from './service-processes.ts'
import { createTwoLedgerSite, type TwoLedgerSite } from './two-ledger-site.ts'
import { openWindow, waitUntilLoaded } from './visit.ts'

const DESK = { width: 1440, height: 900, theme: 'light' } as const
const FIRST_PAGE = { after: null, limit: 10 }
const SILENT = 'Ledger 2 cannot be reached.'

let site: TwoLedgerSite
let places: TwoPlaces
let services: Services
let browser: Browser
let east: string
let west: string

let admin: Page
let planId: string

beforeAll(async () => {
  site = await createTwoLedgerSite({ CALLER_TOKENS })
  places = site.places
  const webDist = await ensureWeb({ log: () => {}, onChild: () => {} })
  services = await createServices(site.database, {
    instances: 1,
    connectThrough: async () => `http://127.0.0.1:${places.service.port}`,
    gatewayEnv: { WEB_DIST: webDist, PUBLIC_URL: 'http://127.0.0.1' },
  })
  await defineStrictPlan()
  east = await addInvestor(1, 5_000n)
  west = await addInvestor(2, 7_000n)
  const [, gatewayWorker] = services.workers
  await Promise.all([...services.gateways, gatewayWorker].map((one) => one?.start()))
  browser = await launchBrowser()
  const visitor = await addVisitor()
  admin = await openPage(visitor, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await services?.remove()
  await site?.drop()
})

/** Gives both ledgers a plan, which they sell only as far as their reserve covers its profit. */
async function defineStrictPlan(): Promise<void> {
  const first = places.client(1)
  planId = createId(Date.now())
  const { version: _, ...rules } = (await first.ask('rules', {})).rules
  await record(first, 'SetMoneyRules', { rules: { ...rules, coverageMode: 'strict' } })
  await record(first, 'DefinePlan', {
    planId,
    terms: { ...plan30Days, minimumMinor: 5_000n },
  })
  await places.client(2).copyRules({ from: 1 })
}

const getStore = () => ({
  db: site.db,
  deps: { clock: Date, sessionKeys: createKeyRing({ value: SESSION_SECRET }) },
  ledger: { unrecorded: places.client(1) },
})

async function addVisitor(): Promise<Visitor> {
  const store = getStore()
  return openVisit(store, await addUser(store, { role: 'admin', status: 'active' }))
}

const addInvestor = (ledger: number, amountMinor: bigint) =>
  addFundedUser({ db: site.db, client: places.client(ledger) }, { ledger, amountMinor })

const findLedgerSelect = () => admin.getByRole('combobox', { name: 'Ledger', exact: true })
const getUrl = () => services.gateways[0]?.url ?? ''

/** Opens a window with the session of the visitor, and with the user that a login stores. */
async function openPage({ cookie }: Pick<Visitor, 'cookie'>, role = 'user'): Promise<Page> {
  const page = await openWindow(browser, DESK)
  await page.addInitScript(
    (user) => {
      localStorage.setItem('cairn.user', JSON.stringify(user))
    },
    { name: 'Person', role, photo: 'default.png', country: null, permissions: [] },
  )
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: getUrl() }
  })
  await page.context().addCookies(cookies)
  return page
}

async function visit(page: Page, path: string): Promise<string | null> {
  await page.goto(`${getUrl()}${path}`)
  await waitUntilLoaded(page)
  return page.locator('main').textContent()
}

test('the pages show both ledgers', async () => {
  const reserve = await visit(admin, '/manage/admin/reserve')
  expect(reserve).toContain('Coverage by ledger')
  expect(reserve).toContain('120.00')
  await visit(admin, '/manage/admin/transactions')
  await expect.poll(() => admin.getByText('70.00').count()).toBeGreaterThan(0)
  expect(await admin.getByText('50.00').count()).toBeGreaterThan(0)
})

test('the reserve of ledger 2 is funded, and a person of that ledger buys', async () => {
  const investor = await openVisit(getStore(), west)
  const buy = async () =>
    send({ url: getUrl() }, investor, {
      method: 'POST',
      path: '/users/me/investments',
      body: { plan: planId, amount: 60 },
    })
  expect((await buy()).body.code).toBe('FULLY_SUBSCRIBED')
  await visit(admin, '/manage/admin/reserve')
  await findLedgerSelect().selectOption({ label: 'Ledger 2' })
  await admin.getByRole('button', { name: 'Pay in' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByText('Free reserve of ledger 2: $0.00').waitFor()
  await dialog.getByLabel('Amount').fill('40')
  await dialog.getByText('$40.00 of the operator’s own money is added to the reserve of').waitFor()
  await dialog.getByRole('button', { name: 'Pay in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await admin.locator('main').getByText('$40.00').first().waitFor()
  expect((await buy()).status).toBe(201)
  const { accounts } = await places.client(1).ask('accounts', { prefix: 'reserve', ...FIRST_PAGE })
  expect(accounts).toEqual([])
})

test('a window that was open before the second ledger was added asks for the ledger', async () => {
  let answers = 0
  await admin.route('**/api/v1/public/settings', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.data.settings.ledgers = [1]
    await route.fulfill({ response, json: body })
    answers += 1
  })
  await visit(admin, '/manage/admin/reserve')
  // The page reads everything once more when its live updates begin.
  await expect.poll(() => answers).toBeGreaterThan(1)
  expect(await findLedgerSelect().count()).toBe(0)
  await admin.unrouteAll({ behavior: 'wait' })
  await admin.getByRole('button', { name: 'Pay in' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Pay in', disabled: false }).waitFor()
  expect(await dialog.getByRole('combobox', { name: 'Ledger', exact: true }).count()).toBe(1)
  await dialog.getByLabel('Amount').fill('40')
  await dialog.getByRole('button', { name: 'Pay in' }).click()
  await dialog.getByText('Choose a ledger').last().waitFor()
  await admin.keyboard.press('Escape')
})

test('a select chooses the ledger of the explorer, and the URL keeps it', async () => {
  await visit(admin, '/manage/admin/ledger')
  expect(await admin.getByText('2000000000001').count()).toBe(0)
  await findLedgerSelect().selectOption({ label: 'Ledger 2' })
  await admin.getByText('2000000000001').first().waitFor()
  expect(new URL(admin.url()).search).toBe('?ledger=2')
  for (const path of ['/manage/admin/accounts', '/manage/admin/checkpoints']) {
    await visit(admin, `${path}?ledger=2`)
    expect(await findLedgerSelect().inputValue()).toBe('2')
  }
  const event = await visit(admin, '/manage/admin/ledger/2000000000001')
  expect(event).toContain('Event 1 of')
  // A checkpoint is signed within a second.
  await admin.getByText('Verified in your browser.').waitFor()
})

test('the keys of both ledgers are on the page of proofs', async () => {
  const text = await visit(admin, '/verify')
  expect(text).toContain('Ledger 2')
  await expect.poll(() => admin.getByText('/ledger/2+').count()).toBeGreaterThan(0)
})

describe('while the server of the second ledger is down', () => {
  beforeAll(() => places.west.crash())

  test.each([
    '/manage/admin/reserve',
    '/manage/admin/transactions',
    '/manage/admin/investments',
    '/manage/admin/ledger?ledger=2',
    '/manage/admin/accounts?ledger=2',
    '/manage/admin/checkpoints?ledger=2',
  ])('%s names it and shows no zero for it', async (path) => {
    await visit(admin, path)
    await admin.getByText(SILENT).first().waitFor()
    const text = await admin.locator('main').textContent()
    expect(text).not.toMatch(/\$0\.00|\$50\.00/)
  })

  test('the explorer shows the first ledger, and its people see their money', async () => {
    const store = getStore()
    await visit(admin, '/manage/admin/ledger')
    await admin.locator('main').getByRole('row').getByText('$50.00').first().waitFor()
    const person = await openPage(await openVisit(store, east))
    await visit(person, '/manage/investor/dashboard')
    await person.getByText('$50.00').first().waitFor()
    await person.context().close()
  })

  test('a person of the second ledger sees which ledger is missing, and no zero', async () => {
    const person = await openPage(await openVisit(getStore(), west))
    await visit(person, '/manage/investor/transactions')
    await person.getByText(SILENT).first().waitFor()
    expect(await person.getByText('$0.00').count()).toBe(0)
    await person.context().close()
  })

  test('after its start, everything is there again', async () => {
    const person = await openPage(await openVisit(getStore(), west))
    await visit(person, '/manage/investor/transactions')
    await places.west.start()
    await expect.poll(async () => (await places.fund(2))?.outcome).toBe('recorded')
    await fund(places.client(2), { investorId: west, amountMinor: 900n })
    await expect
      .poll(async () => {
        await visit(person, '/manage/investor/transactions')
        return person.getByText('9.00').count()
      })
      .toBeGreaterThan(0)
    const reserve = await visit(admin, '/manage/admin/reserve')
    expect(reserve).toContain('129.00')
    expect(reserve).not.toContain(SILENT)
    await person.context().close()
  })
})
