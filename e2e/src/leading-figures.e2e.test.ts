import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { ApiClient } from './api-client.ts'
import { openAdminApi, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const SCREEN = { width: 1_440, height: 900 } as const
/**
 * The maximum height of the dashboard, including the demo bar. The page is higher if it shows fonts
 * of the system instead of its own fonts.
 */
const DASHBOARD_HEIGHT_MAX = 1_375

beforeEach(() => page.setViewportSize(SCREEN))

test('the first screen of an administrator shows the open requests and the totals', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  const bar = await page.getByRole('complementary', { name: 'Demo' }).boundingBox()
  const visibleBottom = bar?.y ?? 0
  for (const name of ['Needs your attention', 'Platform totals']) {
    const box = await page.getByRole('region', { name }).boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0), name).toBeLessThan(visibleBottom)
  }
  const rows = page.getByRole('table', { name: 'Pending Transactions' }).getByRole('row')
  const oldest = await rows.nth(1).boundingBox()
  expect(oldest?.y).toBeLessThan(visibleBottom)
})

test('the menu of an administrator fits a common screen, and shows the open page on a low one', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/jobs')
  const menu = page.getByRole('navigation', { name: 'Administration' })
  const jobs = menu.getByRole('link', { name: 'Jobs' })
  await jobs.waitFor()
  expect(await menu.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0)
  const heights = await menu
    .getByRole('link')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
  await page.setViewportSize({ ...SCREEN, height: 600 })
  await openPath('/manage/admin/jobs')
  await jobs.waitFor()
  const box = async (of: typeof menu) => (await of.boundingBox()) ?? { y: 0, height: 0 }
  const menuBox = await box(menu)
  await expect
    .poll(async () => {
      const { y, height } = await box(jobs)
      return menuBox.y + menuBox.height - (y + height)
    })
    .toBeGreaterThanOrEqual(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('the dashboard of an administrator shows the cash as a sum of named parts', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  const heading = page.getByRole('heading', { name: 'Cash and obligations' })
  const card = page.getByRole('main').locator('section').filter({ has: heading })
  const names = (await card.getByRole('term').allTextContents()).slice(0, 4)
  const amounts = (await card.getByRole('definition').allTextContents())
    .slice(0, 4)
    .map((text) => BigInt(text.replaceAll(/\D/g, '')))
  expect(names).toEqual([
    'Owed to investors',
    '+Promised profit',
    '+Uncommitted after costs',
    '=Cash in the ledger',
  ])
  const cash = amounts.pop()
  expect(amounts.reduce((sum, each) => sum + each, 0n)).toBe(cash)
})

const toCents = (amount: number) => Math.round(amount * 100)
const formatCents = (cents: number) =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

/** Returns what the payment accounts hold and lack, and what all cash is beyond the liabilities. */
async function readCash(api: ApiClient) {
  const { cash, liabilities } = (await api.get('admin/reserve')).body.data.reserve
  const sum = (accounts: readonly { balance: number }[]) =>
    accounts.reduce((total, { balance }) => total + toCents(balance), 0)
  const held = sum(cash.filter(({ option }: { option: string }) => option !== 'treasury'))
  const short = toCents(liabilities) - held
  // The people of the demo were paid more from the payment accounts than the accounts hold.
  expect(short).toBeGreaterThan(0)
  const rest = sum(cash) - toCents(liabilities)
  expect(rest).toBeGreaterThan(0)
  return { held: formatCents(held), needed: formatCents(short), beyond: formatCents(rest) }
}

/** Waits until the text has the figures, which are read again because profit is credited meanwhile. */
async function waitForFigures(
  shown: Locator,
  format: (figures: Awaited<ReturnType<typeof readCash>>) => string,
): Promise<void> {
  const api = await openAdminApi(platform)
  const compare = async () => {
    const expected = format(await readCash(api))
    const text = (await shown.textContent()) ?? ''
    return text.includes(expected) ? 'the same' : { expected, text }
  }
  await expect.poll(compare).toBe('the same')
}

test('what the payment accounts lack is stated first, if the treasury covers it', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  const main = page.getByRole('main')
  await waitForFigures(
    main,
    ({ needed }) =>
      `Payment accounts lack${needed}A payout of everything needs a transfer from the treasury first.`,
  )
  const card = page.getByRole('region', { name: 'Needs your attention' })
  await waitForFigures(
    card.getByRole('link').first(),
    ({ needed }) => `Payment accounts lack ${needed}Needs a transfer from the treasury`,
  )
  await card.getByRole('button', { name: 'Review the oldest request' }).waitFor()
  await openPath('/manage/admin/reserve')
  await waitForFigures(main, ({ needed }) => `${needed} more than the payment accounts hold`)
  await waitForFigures(
    main,
    ({ beyond, needed }) =>
      `All cash together is ${beyond} more than is owed to investors. The payment accounts alone hold ${needed} less than is owed.`,
  )
  const together = page.getByRole('term').filter({ hasText: 'Payment accounts together' })
  await waitForFigures(together.locator('xpath=following-sibling::dd'), ({ held }) => held)
})

/** Answers as if a payment account held all cash: what is owed, and `beyondOwed` more. */
async function holdInPaymentAccount(beyondOwed: number): Promise<void> {
  await page.route('**/api/v1/admin/reserve', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const { reserve } = body.data
    const account = reserve.cash.find(({ option }: { option: string }) => option !== 'treasury')
    const cash = [{ ...account, balance: reserve.liabilities + beyondOwed }]
    const data = { ...body.data, reserve: { ...reserve, cash } }
    return route.fulfill({ response, json: { ...body, data } })
  })
}

test('payment accounts that hold enough need no attention', async () => {
  await holdInPaymentAccount(250)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  await expect
    .poll(() => page.getByRole('main').textContent())
    .toContain('Payment accounts beyond what is owed$250.00')
  const card = page.getByRole('region', { name: 'Needs your attention' })
  expect(await card.getByText(/lack/).count()).toBe(0)
  await openPath('/manage/admin/reserve')
  await page.getByRole('main').getByText('Covered by the payment accounts').waitFor()
})

test('too little cash for what is owed is the first thing that needs attention', async () => {
  await holdInPaymentAccount(-500)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  const card = page.getByRole('region', { name: 'Needs your attention' })
  const [first] = await card.getByRole('link').allTextContents()
  expect(first).toBe('Cash lacks $500.00The ledger has less than is owed to investors')
  await expect
    .poll(() => page.getByRole('main').textContent())
    .toContain('Less cash than is owed$500.00')
  await openPath('/manage/admin/reserve')
  await page.getByRole('main').getByText('$500.00 more than the cash').waitFor()
})

test('the reserve states the same amount after costs as the dashboard', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  const part = page.getByRole('term').filter({ hasText: 'Uncommitted after costs' })
  const uncommitted = await part.locator('xpath=following-sibling::dd').textContent()
  expect(uncommitted).toMatch(/^\$[\d,]+\.\d\d$/)
  await openPath('/manage/admin/reserve')
  await page.getByRole('main').getByText(`${uncommitted} after costs`).waitFor()
})

test('the form for taking out the whole reserve says how far the disclosed coverage falls', async () => {
  const api = await openAdminApi(platform)
  const read = async () => {
    const { reserve, committed, marketing, adjustments, coverage } = (
      await api.get('admin/reserve')
    ).body.data.reserve
    return {
      reserve,
      committed,
      coverage,
      costs: -Math.min(0, marketing) - Math.min(0, adjustments),
    }
  }
  const { costs, coverage } = await read()
  // The demo has paid bonuses and corrections. Tests before this one can have lowered the coverage.
  expect(costs).toBeGreaterThan(0)
  if (coverage < 100) {
    const { shortfall } = (await api.get('public/coverage')).body.data.coverage
    await api.send('POST', 'admin/reserve', { amount: String(shortfall), note: 'for the test' })
  }
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/reserve')
  await page.getByRole('button', { name: 'Take out' }).click()
  const dialog = page.getByRole('dialog')
  // A profit that is credited meanwhile changes the promised profit, so the figures are read again.
  const compare = async () => {
    const now = await read()
    await dialog.getByLabel('Amount').fill(now.reserve.toFixed(2))
    const after = Math.floor(((now.committed - now.costs) * 10_000) / now.committed + 1e-6) / 100
    const text = (await dialog.textContent()) ?? ''
    return text.includes(`falls from 100% to ${after}%`) ? 'the same' : text
  }
  await expect.poll(compare).toBe('the same')
  await dialog.getByLabel('Amount').fill('0.01')
  await dialog.getByText('All promised profit stays covered.').waitFor()
})

test('the page of a user begins at its title on a phone, and shows the chosen tab', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, platform, LOGINS.admin)
  const { users } = (await (await openAdminApi(platform)).get(`users?q=${LOGINS.investor.email}`))
    .body.data
  await openPath(`/manage/admin/users/${users[0].id}?tab=sessions`)
  await waitUntilLoaded(page)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  const tab = page.getByRole('tab', { name: 'Sessions' })
  const box = await tab.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390)
})

test('a cash account has the name of its payment option, and debits without a minus sign', async () => {
  await signIn(page, platform, LOGINS.admin)
  const { accounts } = (await (await openAdminApi(platform)).get('admin/ledger/accounts')).body.data
  const cash = accounts.find(
    ({ account }: { account: string }) =>
      account.startsWith('cash:') && account !== 'cash:treasury',
  )
  await openPath(`/manage/admin/accounts/${cash.account}`)
  await page.getByRole('heading', { level: 1, name: /^Cash: .+ \(demo\), / }).waitFor()
  await waitUntilLoaded(page)
  const main = (await page.getByRole('main').textContent()) ?? ''
  expect(main).toMatch(/Balance now\$[\d,.]+Debit/)
  expect(main).not.toMatch(/[-−]\$/)
})

test('the dashboard names the times of the last verification and the last checkpoint', async () => {
  const admin = await openAdminApi(platform)
  await admin.send('POST', 'admin/ledger/verifications', { since: '0' })
  const readNewest = async () =>
    (await admin.get('admin/ledger/verifications')).body.data.verifications[0].state
  await expect.poll(readNewest).toBe('agrees')
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  const state = page.getByRole('link', { name: 'Ledger adds up' })
  const time = /\w{3} \d+, \d+:\d\d [AP]M/
  await expect
    .poll(() => state.textContent())
    .toMatch(
      new RegExp(
        `Ledger adds up: [\\d,]+ events(, [\\d,]+ unverified)?Verified ${time.source}.*Checkpoint signed ${time.source}`,
      ),
    )
})

test('working systems do not show a ledger without a result as verified', async () => {
  const runs = '**/api/v1/admin/ledger/verifications'
  await page.route(runs, async (route) => {
    if (route.request().method() !== 'GET') {
      await route.continue()
      return page.unroute(runs)
    }
    const response = await route.fetch()
    const body = await response.json()
    const json = { ...body, data: { ...body.data, verifications: [] } }
    // The error is ignored, because the route ends while an answer is on its way.
    return route.fulfill({ response, json }).catch(() => {})
  })
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  const site = page.getByRole('link', { name: 'Backups need attention' })
  expect(await site.textContent()).not.toMatch(/verified/i)
  await page.getByRole('link', { name: 'Ledger not verified yet' }).waitFor()
  await page.getByRole('button', { name: 'Verify now' }).click()
  await page.getByRole('link', { name: 'Ledger adds up' }).waitFor()
})

test('working systems do not hide that no backups are set up', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await page
    .getByRole('link', { name: /Backups need attention\s*No backups by Cairn are set up/ })
    .click()
  await page.getByText('No backups: BACKUP_DIR is not set').waitFor()
})

test('the dashboard of an investor has the height of one and a half screens', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height).toBeLessThanOrEqual(DASHBOARD_HEIGHT_MAX)
})

test('the net worth is as far from its label as the other figures', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  const getDistance = (label: Locator) =>
    label.evaluate((it) => {
      const figure = it.nextElementSibling?.getBoundingClientRect()
      return (figure?.top ?? 0) - it.getBoundingClientRect().bottom
    })
  const main = page.getByRole('main')
  const usual = await getDistance(main.getByText('Total Deposit', { exact: true }))
  expect(usual).toBeGreaterThan(0)
  expect(await getDistance(main.getByRole('heading', { name: 'Net worth' }))).toBe(usual)
})

test('two deposit methods state their measured review time', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/deposit')
  for (const method of ['Bank Transfer', 'Mobile Wallet']) {
    await page
      .getByRole('button', { name: new RegExp(`${method}.*half were decided within \\d+`, 's') })
      .first()
      .waitFor()
  }
})

test('a deposit method with too few decided deposits says so', async () => {
  const path = '**/api/v1/transactions/review_times'
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const { status, data } = await response.json()
    const depositMethods = data.depositMethods.filter(
      ({ method }: { method: string }) => method !== 'Bank Transfer',
    )
    await route.fulfill({
      response,
      json: { status, data: { ...data, deposit: null, depositMethods } },
    })
  })
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/deposit')
  const bank = page.getByRole('button', { name: /Bank Transfer/ }).first()
  await bank.getByText('Too few deposits in the last 30 days to state a usual time').waitFor()
  await bank.click()
  await page
    .getByText(/Too few deposits by Bank Transfer were decided in the last 30 days/)
    .waitFor()
})

test('a wide claim shows its evidence beside the claim', async () => {
  // At this width, the cards are in one column. Each card is therefore wide, regardless of the
  // number of claims.
  await page.setViewportSize({ width: 640, height: 900 })
  await openPath('/')
  const claim = page.getByRole('listitem').filter({ hasText: 'How we know' }).first()
  const card = await claim.boundingBox()
  const heading = await claim.getByRole('heading').boundingBox()
  const evidence = await claim.getByRole('term').first().boundingBox()
  expect(evidence?.x).toBeGreaterThan((card?.x ?? Infinity) + (card?.width ?? 0) / 3)
  expect(evidence?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0))
})
