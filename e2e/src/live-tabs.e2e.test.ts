import { freePort } from '@cairn/local/free-port'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectAsFound, launchBrowser } from './browser.ts'
import { hasStream, heardBy, setVisibility, streamingAmong, watchStreams } from './live-window.ts'
import { addInvestor, openAdminApi, type Person, signIn } from './people.ts'
import { platform, usePlatform } from './shared-site.ts'
import { fillLogin, PATIENCE_MS } from './visit.ts'

const LIST = '/manage/investor/transactions'
const TABS = 12
const LOADS = 30

usePlatform()
let noah: Person
let lena: Person
// Not the worker's browser: this one keeps its back/forward cache, and tabs can be frozen.
let browser: Browser
let freezable: Browser
/** Its tabs lie behind each other and can be frozen. */
let asFound: Browser
beforeAll(async () => {
  const debuggingPort = await freePort()
  // As people use it: pages that were left are kept for the way back.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  browser = await launchBrowser({ ignoreDefaultArgs })
  // A process of its own: over this connection the tabs of other contexts would be seen too.
  freezable = await launchBrowser({ debuggingPort, ignoreDefaultArgs })
  asFound = await connectAsFound(debuggingPort)
  noah = await addInvestor(platform, { name: 'Noah Tabs', balance: 0 })
  lena = await addInvestor(platform, { name: 'Lena Tabs', balance: 0 })
})
afterAll(async () => {
  await asFound?.close()
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

/** One person with several tabs, of which one has the stream. */
async function openTabs(person: Person, count: number): Promise<Page[]> {
  return openTabsIn(await openContext(), person, count)
}

async function openTabsIn(context: BrowserContext, person: Person, count: number): Promise<Page[]> {
  const first = await context.newPage()
  await signIn(first, platform, person)
  await first.goto(`${platform.url}${LIST}`)
  const pages = [first]
  while (pages.length < count) pages.push(await openTab(context))
  await expect.poll(() => streamingAmong(pages)).toHaveLength(1)
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

async function seesAmount(pages: readonly Page[], amount: string): Promise<void> {
  await Promise.all(pages.map((page) => page.getByText(`$${amount}`).first().waitFor()))
}

async function withoutStream(pages: readonly Page[]): Promise<Page[]> {
  const streaming = await streamingAmong(pages)
  return pages.filter((page) => !streaming.includes(page))
}

test('twelve tabs, and thirty loads of one of them, share one stream that reaches all', async () => {
  const pages = await openTabs(noah, TABS)
  const [last] = await withoutStream(pages)
  if (last === undefined) throw new Error('every tab has a stream')
  for (let load = 0; load < LOADS; load += 1) {
    await last.goto(
      `${platform.url}/manage/investor/${load % 2 === 0 ? 'deposit' : 'transactions'}`,
    )
    await last.locator('h1').first().waitFor()
  }
  await fund(noah, '61.37')
  await seesAmount(pages, '61.37')
  expect(await streamingAmong(pages)).toHaveLength(1)
})

test('a page that comes back from the cache of the browser catches up and joins again', async () => {
  const [page] = await openTabs(noah, 1)
  if (page === undefined) throw new Error('no tab')
  await page.goto(`${platform.url}/about_us`)
  await fund(noah, '62.11')
  // A page of that cache does not load again.
  await page.goBack({ waitUntil: 'commit' })
  await seesAmount([page], '62.11')
  expect(await page.evaluate(() => window.streams.length)).toBe(2)
  expect(await hasStream(page)).toBe(true)
})

test('when the tab with the stream is closed, another one takes over', async () => {
  const pages = await openTabs(noah, 3)
  const [leader] = await streamingAmong(pages)
  await leader?.close()
  const rest = pages.filter((page) => page !== leader)
  await expect.poll(() => streamingAmong(rest)).toHaveLength(1)
  await fund(noah, '63.12')
  await seesAmount(rest, '63.12')
})

async function openFreezable(): Promise<Page[]> {
  const [context] = asFound.contexts()
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
  { how: 'is told of it', isSilent: false, amount: '64.13' },
  { how: 'is not', isSilent: true, amount: '65.14' },
])('the tab with the stream is frozen and $how: a visible one takes over', async (frozen) => {
  const pages = await openFreezable()
  const [leader] = await streamingAmong(pages)
  if (leader === undefined) throw new Error('no tab has a stream')
  const rest = pages.filter((page) => page !== leader)
  // Browsers freeze tabs in the background only.
  await rest[0]?.bringToFront()
  if (frozen.isSilent) {
    await leader.evaluate(() =>
      document.addEventListener('freeze', (event) => event.stopImmediatePropagation(), true),
    )
  }
  const devtools = await leader.context().newCDPSession(leader)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await expect.poll(() => streamingAmong(rest)).toHaveLength(1)
  await fund(noah, frozen.amount)
  await seesAmount(rest, frozen.amount)
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await seesAmount([leader], frozen.amount)
  await expect.poll(() => streamingAmong(pages)).toHaveLength(1)
})

test('after another login in one tab no message crosses between the two people', async () => {
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
  const hearing = await heardBy(stays)
  await fund(noah, '66.15')
  const ofNoah = await newestFunding()
  await fund(lena, '67.16')
  await seesAmount([leaves], '67.16')
  expect(await heardBy(leaves)).not.toContain(ofNoah)
  expect(await heardBy(stays)).toEqual(hearing)
})

async function newestFunding(): Promise<string> {
  const admin = await openAdminApi(platform)
  const { events } = (await admin.get('admin/ledger/events?type=WalletFunded&limit=1')).body.data
  return events[0].seq
}

test('without locks each visible tab has a stream of its own, and a hidden one none', async () => {
  const context = await openContext()
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  const first = await context.newPage()
  await signIn(first, platform, noah)
  await first.goto(`${platform.url}${LIST}`)
  const second = await openTab(context)
  await expect.poll(() => streamingAmong([first, second])).toHaveLength(2)
  await setVisibility(first, 'hidden')
  await expect.poll(() => streamingAmong([first, second])).toEqual([second])
  await fund(noah, '69.18')
  await seesAmount([second], '69.18')
  await setVisibility(first, 'visible')
  await seesAmount([first], '69.18')
  expect(await hasStream(first)).toBe(true)
})
