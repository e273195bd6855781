import { freePort } from '@cairn/local/free-port'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ApiClient, loginAs } from './api-client.ts'
import { connectAsFound, launchBrowser } from './browser.ts'
import { hasStream, heardBy, setVisibility, streamingAmong, watchStreams } from './live-window.ts'
import { type Platform, startPlatform } from './platform.ts'
import { LOGINS } from './site-pages.ts'
import { fillLogin, logIn } from './visit.ts'

const PASSWORD = 'cairn-demo-investor'
const NOAH = { email: 'noah.adeyemi@cairn.example', password: PASSWORD }
const LENA = { email: 'lena.fischer@cairn.example', password: PASSWORD }
const LIST = '/manage/investor/transactions'
const TABS = 12
const LOADS = 30
/** A page that never loads fails its test; a busy machine does not. */
const LOAD_MS_MAX = 60_000

let platform: Platform
let browser: Browser
/** Its tabs lie behind each other and can be frozen. */
let asFound: Browser
let admin: ApiClient
beforeAll(async () => {
  const debuggingPort = await freePort()
  ;[platform, browser] = await Promise.all([
    startPlatform(),
    // As people use it: pages that were left are kept for the way back.
    launchBrowser({ debuggingPort, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  ])
  asFound = await connectAsFound(debuggingPort)
  admin = await loginAs(platform.url, LOGINS.admin.email, LOGINS.admin.password)
})
afterAll(async () => {
  await asFound?.close()
  await browser?.close()
  await platform?.remove()
})

async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(LOAD_MS_MAX)
  await watchStreams(context)
  onTestFinished(() => context.close())
  return context
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${platform.url}${LIST}`)
  return page
}

/** One person with several tabs, of which one has the stream. */
async function openTabs(person: typeof NOAH, count: number): Promise<Page[]> {
  return openTabsIn(await openContext(), person, count)
}

async function openTabsIn(
  context: BrowserContext,
  person: typeof NOAH,
  count: number,
): Promise<Page[]> {
  const first = await context.newPage()
  await logIn(first, platform.url, person)
  await first.goto(`${platform.url}${LIST}`)
  const pages = [first]
  while (pages.length < count) pages.push(await openTab(context))
  await expect.poll(() => streamingAmong(pages)).toHaveLength(1)
  return pages
}

async function fund({ email }: typeof NOAH, amount: string): Promise<void> {
  const { users } = (await admin.get(`users?q=${email}`)).body.data
  const answer = await admin.send('PATCH', `users/${users[0].id}/wallets`, {
    wallet_type: 'balance',
    amount,
  })
  expect(answer.status).toBeLessThan(300)
}

async function seesAmount(pages: readonly Page[], amount: string): Promise<void> {
  await Promise.all(pages.map((page) => page.getByText(`$${amount}`).first().waitFor()))
}

async function withoutStream(pages: readonly Page[]): Promise<Page[]> {
  const streaming = await streamingAmong(pages)
  return pages.filter((page) => !streaming.includes(page))
}

test('twelve tabs, and thirty loads of one of them, share one stream that reaches all', async () => {
  const pages = await openTabs(NOAH, TABS)
  const [last] = await withoutStream(pages)
  if (last === undefined) throw new Error('every tab has a stream')
  for (let load = 0; load < LOADS; load += 1) {
    await last.goto(
      `${platform.url}/manage/investor/${load % 2 === 0 ? 'deposit' : 'transactions'}`,
    )
    await last.locator('h1').first().waitFor()
  }
  await fund(NOAH, '61.37')
  await seesAmount(pages, '61.37')
  expect(await streamingAmong(pages)).toHaveLength(1)
})

test('a page that comes back from the cache of the browser catches up and joins again', async () => {
  const [page] = await openTabs(NOAH, 1)
  if (page === undefined) throw new Error('no tab')
  await page.goto(`${platform.url}/about_us`)
  await fund(NOAH, '62.11')
  // A page of that cache does not load again.
  await page.goBack({ waitUntil: 'commit' })
  await seesAmount([page], '62.11')
  expect(await page.evaluate(() => window.streams.length)).toBe(2)
  expect(await hasStream(page)).toBe(true)
})

test('when the tab with the stream is closed, another one takes over', async () => {
  const pages = await openTabs(NOAH, 3)
  const [leader] = await streamingAmong(pages)
  await leader?.close()
  const rest = pages.filter((page) => page !== leader)
  await expect.poll(() => streamingAmong(rest)).toHaveLength(1)
  await fund(NOAH, '63.12')
  await seesAmount(rest, '63.12')
})

async function openFreezable(): Promise<Page[]> {
  const [context] = asFound.contexts()
  if (context === undefined) throw new Error('the browser has no context of its own')
  context.setDefaultTimeout(LOAD_MS_MAX)
  await watchStreams(context)
  const pages = await openTabsIn(context, NOAH, 3)
  onTestFinished(async () => {
    for (const page of pages) await page.close()
    await context.clearCookies()
  })
  return pages
}

test.each([
  { how: 'is told of it', isSilent: false, amount: '64.13' },
  { how: 'is not', isSilent: true, amount: '65.14' },
])('the tab with the stream is frozen and $how: a visible one takes over', async (frozen) => {
  const pages = await openFreezable()
  const [leader] = await streamingAmong(pages)
  if (leader === undefined) throw new Error('no tab has a stream')
  if (frozen.isSilent) {
    await leader.evaluate(() =>
      document.addEventListener('freeze', (event) => event.stopImmediatePropagation(), true),
    )
  }
  const devtools = await leader.context().newCDPSession(leader)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  const rest = pages.filter((page) => page !== leader)
  await expect.poll(() => streamingAmong(rest), { timeout: LOAD_MS_MAX }).toHaveLength(1)
  await fund(NOAH, frozen.amount)
  await seesAmount(rest, frozen.amount)
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await seesAmount([leader], frozen.amount)
  await expect.poll(() => streamingAmong(pages)).toHaveLength(1)
})

test('after another login in one tab no message crosses between the two people', async () => {
  const pages = await openTabs(NOAH, 2)
  const [stays, leaves] = pages
  if (stays === undefined || leaves === undefined) throw new Error('two tabs were asked for')
  await leaves.getByRole('button', { name: 'Logout' }).first().click()
  await leaves.waitForURL(/users\/login/)
  await stays.getByText('Your session has ended.').first().waitFor()
  await fillLogin(leaves, LENA)
  await leaves.waitForURL(/\/manage\//)
  await leaves.goto(`${platform.url}${LIST}`)
  await expect.poll(() => hasStream(leaves)).toBe(true)
  const hearing = await heardBy(stays)
  await fund(NOAH, '66.15')
  const ofNoah = await newestFunding()
  await fund(LENA, '67.16')
  await seesAmount([leaves], '67.16')
  expect(await heardBy(leaves)).not.toContain(ofNoah)
  expect(await heardBy(stays)).toEqual(hearing)
})

async function newestFunding(): Promise<string> {
  const { events } = (await admin.get('admin/ledger/events?type=WalletFunded&limit=1')).body.data
  return events[0].seq
}

test('without locks each visible tab has a stream of its own, and a hidden one none', async () => {
  const context = await openContext()
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  const first = await context.newPage()
  await logIn(first, platform.url, NOAH)
  await first.goto(`${platform.url}${LIST}`)
  const second = await openTab(context)
  await expect.poll(() => streamingAmong([first, second])).toHaveLength(2)
  await setVisibility(first, 'hidden')
  await expect.poll(() => streamingAmong([first, second])).toEqual([second])
  await fund(NOAH, '69.18')
  await seesAmount([second], '69.18')
  await setVisibility(first, 'visible')
  await seesAmount([first], '69.18')
  expect(await hasStream(first)).toBe(true)
})
