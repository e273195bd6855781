import { findFreePort } from '@cairn/local/free-port'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectWithoutFocusEmulation, launchBrowser } from './browser.ts'
import {
  findPagesWithStream,
  hasStream,
  readReceivedTopics,
  setVisibility,
  watchStreams,
} from './live-window.ts'
import { addInvestor, openAdminApi, type Person, signIn } from './people.ts'
import { platform, usePlatform } from './shared-site.ts'
import { fillLogin, PATIENCE_MS } from './visit.ts'

const LIST = '/manage/investor/transactions'
const TABS = 12
const LOADS = 30

usePlatform()
let noah: Person
let lena: Person
// The shared browser is not used, because it has no back/forward cache and cannot freeze tabs.
let browser: Browser
let freezable: Browser
/**
 * A connection to `freezable` in which only the front tab is visible, so that the other tabs can be
 * frozen.
 */
let withHiddenTabs: Browser
beforeAll(async () => {
  const debuggingPort = await findFreePort()
  // Users have the back/forward cache, but Playwright disables it by default.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  browser = await launchBrowser({ ignoreDefaultArgs })
  // `freezable` is not the shared browser, because a second connection to a browser also sees the
  // tabs of all its contexts.
  freezable = await launchBrowser({ debuggingPort, ignoreDefaultArgs })
  withHiddenTabs = await connectWithoutFocusEmulation(debuggingPort)
  noah = await addInvestor(platform, { name: 'Noah Tabs', balance: 0 })
  lena = await addInvestor(platform, { name: 'Lena Tabs', balance: 0 })
})
afterAll(async () => {
  await withHiddenTabs?.close()
  await freezable?.close()
  await browser?.close()
})

async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(PATIENCE_MS)
  await watchStreams(context)
  onTestFinished(() => context.close())
  return context
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${platform.url}${LIST}`)
  return page
}

/** Opens `count` tabs of one person in a new context. */
async function openTabs(person: Person, count: number): Promise<Page[]> {
  return openTabsIn(await openContext(), person, count)
}

async function openTabsIn(context: BrowserContext, person: Person, count: number): Promise<Page[]> {
  const first = await context.newPage()
  await signIn(first, platform, person)
  await first.goto(`${platform.url}${LIST}`)
  const pages = [first]
  while (pages.length < count) pages.push(await openTab(context))
  await expect.poll(() => findPagesWithStream(pages)).toHaveLength(1)
  return pages
}

async function fund({ id }: Person, amount: string): Promise<void> {
  const admin = await openAdminApi(platform)
  const answer = await admin.send('PATCH', `users/${id}/wallets`, {
    wallet_type: 'balance',
    amount,
  })
  expect(answer.status).toBeLessThan(300)
}

async function expectAmount(pages: readonly Page[], amount: string): Promise<void> {
  await Promise.all(pages.map((page) => page.getByText(`$${amount}`).first().waitFor()))
}

async function findWithoutStream(pages: readonly Page[]): Promise<Page[]> {
  const streaming = await findPagesWithStream(pages)
  return pages.filter((page) => !streaming.includes(page))
}

test('twelve tabs share one stream that reaches all, also after thirty loads of one tab', async () => {
  const pages = await openTabs(noah, TABS)
  const [last] = await findWithoutStream(pages)
  if (last === undefined) throw new Error('every tab has a stream')
  for (let load = 0; load < LOADS; load += 1) {
    await last.goto(
      `${platform.url}/manage/investor/${load % 2 === 0 ? 'deposit' : 'transactions'}`,
    )
    await last.locator('h1').first().waitFor()
  }
  await fund(noah, '61.37')
  await expectAmount(pages, '61.37')
  expect(await findPagesWithStream(pages)).toHaveLength(1)
})

test('a page from the back/forward cache reloads its data and opens a stream', async () => {
  const [page] = await openTabs(noah, 1)
  if (page === undefined) throw new Error('no tab')
  await page.goto(`${platform.url}/about_us`)
  await fund(noah, '62.11')
  // A page that the back/forward cache restores has no load event.
  await page.goBack({ waitUntil: 'commit' })
  await expectAmount([page], '62.11')
  expect(await page.evaluate(() => window.streams.length)).toBe(2)
  expect(await hasStream(page)).toBe(true)
})

test('when the tab with the stream is closed, another tab takes over', async () => {
  const pages = await openTabs(noah, 3)
  const [leader] = await findPagesWithStream(pages)
  await leader?.close()
  const rest = pages.filter((page) => page !== leader)
  await expect.poll(() => findPagesWithStream(rest)).toHaveLength(1)
  await fund(noah, '63.12')
  await expectAmount(rest, '63.12')
})

async function openFreezable(): Promise<Page[]> {
  const [context] = withHiddenTabs.contexts()
  if (context === undefined) throw new Error('the browser has no context of its own')
  context.setDefaultTimeout(PATIENCE_MS)
  await watchStreams(context)
  const pages = await openTabsIn(context, noah, 3)
  onTestFinished(async () => {
    for (const page of pages) await page.close()
    await context.clearCookies()
  })
  return pages
}

test.each([
  { how: 'receives the freeze event', isSilent: false, amount: '64.13' },
  { how: 'does not receive the event', isSilent: true, amount: '65.14' },
])('the tab with the stream is frozen and $how: a visible tab takes over', async (frozen) => {
  const pages = await openFreezable()
  const [leader] = await findPagesWithStream(pages)
  if (leader === undefined) throw new Error('no tab has a stream')
  const rest = pages.filter((page) => page !== leader)
  // Browsers freeze only background tabs.
  await rest[0]?.bringToFront()
  if (frozen.isSilent) {
    await leader.evaluate(() =>
      document.addEventListener('freeze', (event) => event.stopImmediatePropagation(), true),
    )
  }
  const devtools = await leader.context().newCDPSession(leader)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await expect.poll(() => findPagesWithStream(rest)).toHaveLength(1)
  await fund(noah, frozen.amount)
  await expectAmount(rest, frozen.amount)
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await expectAmount([leader], frozen.amount)
  await expect.poll(() => findPagesWithStream(pages)).toHaveLength(1)
})

test('after a login as another person in one tab, neither person receives events of the other', async () => {
  const pages = await openTabs(noah, 2)
  const [stays, leaves] = pages
  if (stays === undefined || leaves === undefined) throw new Error('two tabs were asked for')
  await leaves.getByRole('button', { name: 'Logout' }).first().click()
  await leaves.waitForURL(/users\/login/)
  await stays.getByText('Your session has ended.').first().waitFor()
  await fillLogin(leaves, lena)
  await leaves.waitForURL(/\/manage\//)
  await leaves.goto(`${platform.url}${LIST}`)
  await expect.poll(() => hasStream(leaves)).toBe(true)
  const hearing = await readReceivedTopics(stays)
  await fund(noah, '66.15')
  const ofNoah = await readNewestFunding()
  await fund(lena, '67.16')
  await expectAmount([leaves], '67.16')
  expect(await readReceivedTopics(leaves)).not.toContain(ofNoah)
  expect(await readReceivedTopics(stays)).toEqual(hearing)
})

async function readNewestFunding(): Promise<string> {
  const admin = await openAdminApi(platform)
  const { events } = (await admin.get('admin/ledger/events?type=WalletFunded&limit=1')).body.data
  return events[0].seq
}

test('without the Web Locks API each visible tab has its own stream, and a hidden tab has none', async () => {
  const context = await openContext()
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  const first = await context.newPage()
  await signIn(first, platform, noah)
  await first.goto(`${platform.url}${LIST}`)
  const second = await openTab(context)
  await expect.poll(() => findPagesWithStream([first, second])).toHaveLength(2)
  await setVisibility(first, 'hidden')
  await expect.poll(() => findPagesWithStream([first, second])).toEqual([second])
  await fund(noah, '69.18')
  await expectAmount([second], '69.18')
  await setVisibility(first, 'visible')
  await expectAmount([first], '69.18')
  expect(await hasStream(first)).toBe(true)
})
