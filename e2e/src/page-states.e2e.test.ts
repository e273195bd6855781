import type { Route } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, listSitePages, type Visitor } from './site-pages.ts'
import { waitPastRetries, waitUntilLoaded } from './visit.ts'
import { openWatched } from './watched-window.ts'

const READS = '**/api/v1/**'
/**
 * Requests that must succeed, because a signed-in page sends no other requests before their answers
 * arrive.
 */
const FRAME = /public\/settings|users\/me$|v1\/events\?/
const LONG = 'Maximiliana-Alexandrina Wolfeschlegelsteinhausenbergerdorff'
const NAMES = ['name', 'label', 'bankName', 'accountName', 'email', 'accountNumber']
const AMOUNTS = ['amount', 'balance', 'profit', 'referralBalance', 'expectedProfit', 'earned']

useSharedSite()
beforeEach(() => signIn(page, platform, LOGINS.investor))

async function answerWithFailure(route: Route): Promise<void> {
  const request = route.request()
  const isRead = request.method() === 'GET' || request.url().endsWith('/investments/mine')
  if (!isRead || FRAME.test(request.url())) return route.continue()
  const body = { status: 'error', message: 'Something went very wrong!', code: 'INTERNAL' }
  return route.fulfill({ status: 500, json: body })
}

test('data that cannot be loaded shows an error with Retry, never an empty or zero value', async () => {
  await page.clock.install()
  await page.route(READS, answerWithFailure)
  for (const path of ['dashboard', 'transactions', 'withdrawal']) {
    await openPath(`/manage/investor/${path}`)
    await waitPastRetries(page.getByRole('button', { name: 'Retry' }).first())
    await waitUntilLoaded(page)
    expect(await page.getByRole('main').textContent(), path).not.toContain('$0.00')
  }
  await page.unroute(READS)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: /Wallet Balance.*\$/s }).waitFor()
})

test('a dashboard with failed parts shows one error, and Retry loads all of them', async () => {
  await page.clock.install()
  const balances = /v1\/stats\/users$/
  await page.route(balances, answerWithFailure)
  await openPath('/manage/investor/dashboard')
  const main = page.getByRole('main')
  const alert = main.getByRole('alert')
  const retry = main.getByRole('button', { name: 'Retry' })
  await waitPastRetries(retry)
  await waitUntilLoaded(page)
  const investments = main.locator('section').filter({ hasText: 'Recent Investments' })
  await investments.getByRole('progressbar').first().waitFor()
  const countNotLoaded = () => main.getByText('Not loaded', { exact: true }).count()
  const failedWithBalances = await countNotLoaded()

  await page.route(READS, answerWithFailure)
  await openPath('/manage/investor/dashboard')
  await waitPastRetries(retry)
  await expect.poll(countNotLoaded).toBe(6)
  expect(failedWithBalances).toBe(1)
  expect(await alert.allTextContents()).toEqual(['Parts of this page could not be loaded.Retry'])
  expect(await retry.count()).toBe(1)
  const findHeight = async () => (await investments.boundingBox())?.height
  const failedHeight = await findHeight()
  await page.unroute(READS)
  await page.unroute(balances)
  await retry.click()
  await alert.waitFor({ state: 'detached' })
  await investments.getByRole('progressbar').first().waitFor()
  await main
    .getByText(/\$[1-9]/)
    .first()
    .waitFor()
  expect(await countNotLoaded()).toBe(0)
  expect(failedHeight).toBeGreaterThan(150)
})

test('each card of an administrator says that its data could not be loaded', async () => {
  const admin = await openWatched(browser)
  await admin.clock.install()
  await signIn(admin, platform, LOGINS.admin)
  await admin.route(READS, answerWithFailure)
  await admin.goto(`${platform.url}/manage/admin/checkpoints`)
  await waitPastRetries(admin.getByText('The checkpoints could not be loaded.'))
  await admin.getByText('The keys appear when the checkpoints have loaded.').waitFor()
  await admin.goto(`${platform.url}/manage/admin/dashboard`)
  const cash = admin.getByRole('region', { name: 'Cash by account' })
  await waitPastRetries(cash.getByText('Unknown'))
  const mode = admin.getByRole('complementary', { name: 'Dual control' })
  await mode.getByText('The approval mode could not be loaded.').waitFor()
  await admin.unroute(READS)
  await mode.getByRole('button', { name: 'Retry' }).click()
  await mode.getByRole('link', { name: 'One administrator can approve alone.' }).waitFor()
})

/** Answers with the list of that name emptied. */
async function answerWithout(list: string, route: Route): Promise<void> {
  const response = await route.fetch()
  const emptied = JSON.parse(await response.text(), (key, value) =>
    key === list && Array.isArray(value) ? [] : value,
  )
  await route.fulfill({ response, json: emptied })
}

test('the totals and the bonuses of an investor have a Retry of their own', async () => {
  await page.clock.install()
  await page.route(/v1\/(stats\/users|plans)/, answerWithFailure)
  const failures = {
    investments: 'Your totals could not be loaded.',
    referrals: 'The bonuses could not be loaded.',
  }
  for (const [path, text] of Object.entries(failures)) {
    await openPath(`/manage/investor/${path}`)
    const failure = page.getByRole('alert').filter({ hasText: text })
    await waitPastRetries(failure.getByRole('button', { name: 'Retry' }))
  }
})

test('without plans on offer, no form and no bonus is shown', async () => {
  await page.route('**/api/v1/plans*', (route) => answerWithout('plans', route))
  await openPath('/manage/investor/investments?view=new')
  await page.getByText('No plans are on offer').waitFor()
  expect(await page.getByRole('button', { name: 'Invest', exact: true }).count()).toBe(0)
  await openPath('/manage/investor/referrals')
  await page.getByText('No plans are on offer, so no bonus can be earned.').waitFor()
})

test('an empty list mentions filters only if there are any', async () => {
  const admin = await openWatched(browser)
  await signIn(admin, platform, LOGINS.admin)
  for (const list of ['transactions', 'investments']) {
    await admin.route(new RegExp(`v1/${list}\\?`), (route) => answerWithout(list, route))
    await admin.goto(`${platform.url}/manage/admin/${list}`)
    await admin.getByText(`No ${list} yet`).waitFor()
    await admin.goto(`${platform.url}/manage/admin/${list}?q=nothing`)
    await admin.getByRole('button', { name: 'Clear the filters' }).waitFor()
  }
})

test('no amount is shown while data is loading', async () => {
  const answers = Promise.withResolvers<void>()
  await page.route(READS, async (route) => {
    if (!FRAME.test(route.request().url())) await answers.promise
    await route.continue()
  })
  await openPath('/manage/investor/dashboard')
  await page.getByText('Account Balance').waitFor()
  await page.getByText('Recent Transactions').waitFor()
  expect(await page.getByRole('main').textContent()).not.toMatch(/\$\d/)
  answers.resolve()
  await page
    .getByText(/\$[1-9]/)
    .first()
    .waitFor()
})

/** Returns a copy of the answer with very long names and very large amounts. */
function enlargeValues(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => enlargeValues(each, key))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, enlargeValues(each, name)]),
    )
  }
  if (NAMES.includes(key) && typeof value === 'string') return `${LONG}@${LONG}.example`
  if (AMOUNTS.includes(key) && typeof value === 'number') return 812_345_678.91
  return value
}

async function answerWithGrowingFigures(route: Route): Promise<void> {
  if (route.request().method() !== 'GET' || /v1\/events\?/.test(route.request().url())) {
    return route.continue()
  }
  try {
    const response = await route.fetch()
    await route.fulfill({ response, json: enlargeValues(await response.json()) })
  } catch {
    // The error is ignored, because the page has already navigated and no longer needs the answer.
    await route.abort().catch(() => {})
  }
}

async function findTooWidePages(visitor: Visitor): Promise<readonly string[]> {
  const tooWide: string[] = []
  for (const { name, path } of await listSitePages(visitor, platform)) {
    await openPath(path)
    await waitUntilLoaded(page)
    const cut = await page.evaluate(() => {
      const excess = document.documentElement.scrollWidth - window.innerWidth
      if (excess <= 0) return null
      const last = [...document.querySelectorAll('main *')]
        .filter((each) => each.getBoundingClientRect().right > window.innerWidth)
        .at(-1)
      return `by ${excess}: ${last?.outerHTML.slice(0, 200)}`
    })
    if (cut !== null) tooWide.push(`${name} ${cut}`)
  }
  return tooWide
}

test.each(['the own fonts', 'the fonts of the system'])(
  'very long names and large amounts in %s do not make the smallest screen scroll sideways',
  async (fonts) => {
    // Blocks the font files. A page then shows a font of the system, which can be wider.
    if (fonts !== 'the own fonts') await page.route('**/*.woff2', (route) => route.abort())
    await page.setViewportSize({ width: 320, height: 640 })
    await page.route(READS, answerWithGrowingFigures)
    expect(await findTooWidePages('investor')).toEqual([])
  },
)

test('at 200 % zoom nothing scrolls sideways, and the last button of a dialog can be reached', async () => {
  // The size in CSS pixels of a screen of 1440 by 900 pixels at 200 % zoom.
  await page.setViewportSize({ width: 720, height: 450 })
  expect(await findTooWidePages('investor')).toEqual([])
  const lastButton = page.getByRole('dialog').getByRole('button').last()
  await openPath('/manage/investor/transactions?banks=open')
  await lastButton.click({ trial: true })
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
  await lastButton.click({ trial: true })
})

test('at 200 % zoom no public page and no page of an administrator scrolls sideways', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  expect(await findTooWidePages('visitor')).toEqual([])
  await signIn(page, platform, LOGINS.admin)
  expect(await findTooWidePages('admin')).toEqual([])
})

test.each([768, 1024])('a table that does not fit into %i px is shown as a list', async (width) => {
  const admin = await openWatched(browser)
  await signIn(admin, platform, LOGINS.admin)
  await admin.setViewportSize({ width, height: 900 })
  await admin.route(READS, answerWithGrowingFigures)
  for (const list of ['transactions', 'investments', 'users']) {
    await admin.goto(`${platform.url}/manage/admin/${list}`)
    await waitUntilLoaded(admin)
    const cut = await admin.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main section')]
        .filter((each) => each.scrollWidth > each.clientWidth)
        .map((each) => each.ariaLabel ?? each.tagName),
    )
    expect(cut, list).toEqual([])
  }
})

test('a printed page has the content and no buttons', async () => {
  await openPath('/manage/investor/transactions?type=deposit&date=custom&since=2020-01-02')
  const first = page.getByRole('row').nth(1)
  await first.waitFor()
  const readInfoColor = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--info-soft'))
  const light = await readInfoColor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await first.waitFor()
  expect(await readInfoColor()).not.toBe(light)
  await page.emulateMedia({ media: 'print' })
  expect(await readInfoColor()).toBe(light)
  await first.getByText('Deposit', { exact: true }).waitFor()
  await page.getByText(/^Type: Deposit · From Jan 2, 2020 · [0-9]+ Records?$/).waitFor()
  for (const name of ['Logout', 'Bank Accounts']) {
    expect(await page.getByRole('button', { name }).isVisible(), name).toBe(false)
  }
  await page.emulateMedia({ media: 'screen' })
  await first.getByRole('button').click()
  await page.getByRole('dialog').getByText('Reference').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.getByRole('dialog').getByText('Reference').isVisible()).toBe(true)
  expect(await first.isVisible()).toBe(false)
})

test('without a network the page shows a notice and keeps the input', async () => {
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByLabel('Amount').fill('12')
  await page.getByLabel('Bank account').selectOption({ index: 1 })
  await page.context().setOffline(true)
  await page
    .getByText(/offline/i)
    .first()
    .waitFor()
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('12')
  await page.context().setOffline(false)
  await page
    .getByText(/offline/i)
    .first()
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('Withdrawal Requested!').waitFor()
})
