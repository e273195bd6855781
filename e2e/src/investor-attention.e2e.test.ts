import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { addInvestor, openAdminApi, requestDeposit, requestWithdrawal, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

/** Opens the dashboard of a new investor who has requested two deposits. */
async function openDashboardWithDeposits(size: { width: number; height: number }) {
  await page.setViewportSize(size)
  const person = await addInvestor(platform)
  await requestDeposit(platform, person, '51')
  await requestDeposit(platform, person, '20.5')
  await signIn(page, platform, person)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  return person
}

test.each([
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
])('the first screen shows the pending requests, at $width px', async (size) => {
  const person = await openDashboardWithDeposits(size)
  const link = page.getByRole('link', { name: '2 pending deposits, $71.50' })
  const box = await link.boundingBox()
  const bar = await page.getByRole('complementary', { name: 'Demo' }).boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await link.click()
  await page.waitForURL(/transactions\?type=deposit&status=pending$/)
  await page.getByText('2 Records', { exact: true }).waitFor()

  const api = await openAdminApi(platform)
  const { body } = await api.get(`transactions?status=pending&q=${person.email}`)
  for (const { id } of body.data.transactions) {
    await api.send('PATCH', `transactions/${id}/action/approve`, {})
  }
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  await page.getByText('Needs your attention').waitFor()
  expect(await page.getByText('pending deposit').count()).toBe(0)
})

test('pending withdrawals of all wallets need attention, until they are decided', async () => {
  const person = await addInvestor(platform)
  const { id } = await requestWithdrawal(platform, person, { wallet: 'balance', amount: 30.5 })
  await requestWithdrawal(platform, person, { wallet: 'balance', amount: 21 })
  await signIn(page, platform, person)
  await openPath('/manage/investor/dashboard')
  const link = (amount: string) =>
    page.getByRole('link', { name: `Pending withdrawals, ${amount}` })
  await link('$51.50').waitFor()
  const api = await openAdminApi(platform)
  await api.send('PATCH', `transactions/${id}/action/decline`, {
    reason: 'A test of the dashboard',
  })
  await link('$21.00').click()
  await page.waitForURL(/transactions\?type=withdrawal&status=pending$/)
  await page.getByText('1 Record', { exact: true }).waitFor()
})

test('beside the chart, an investor with investments sees two items at most', async () => {
  const person = await addInvestor(platform)
  const api = await logInAs(platform.url, person.email, person.password)
  const { plans } = (await api.get('plans')).body.data
  const [{ id: plan, minDeposit: amount }] = plans.toSorted(
    (one: { minDeposit: number }, other: { minDeposit: number }) =>
      one.minDeposit - other.minDeposit,
  )
  const opened = await api.send('POST', 'users/me/investments', { plan, amount })
  expect(opened.status).toBe(201)
  await requestDeposit(platform, person, '5200.25')
  await signIn(page, platform, person)
  const items = page.getByRole('region', { name: 'Needs your attention' }).getByRole('link')
  const step = items.filter({ hasText: 'Set up two-factor authentication' })
  await openPath('/manage/investor/dashboard')
  await step.waitFor()
  await expect.poll(() => items.count()).toBe(2)
  await requestWithdrawal(platform, person, { wallet: 'balance', amount: 31 })
  await openPath('/manage/investor/dashboard')
  const pending = items.filter({ hasText: 'Pending: $5,200.25 in, $31.00 out' })
  await pending.waitFor()
  await expect.poll(() => items.count()).toBe(2)
  await step.waitFor()

  // On a phone, the two amounts take two lines. A cut line could hide an amount or its direction.
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => pending.evaluate(hasCutAmount)).toBe(false)
    // The place of the placeholder is as high, so the page does not move when the item loads.
    expect((await pending.boundingBox())?.height).toBe(56)
  }
})

function hasCutAmount(link: Element): boolean {
  return [...link.querySelectorAll('span')].some(
    (part) => part.textContent.includes('$') && part.scrollWidth > part.clientWidth + 1,
  )
}

test('on a phone, the menu of notifications has equal margins', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Show all notifications' }).waitFor()
  await menu.getByRole('menuitem').nth(1).waitFor()
  const readMargins = async () => {
    const box = await menu.boundingBox()
    return box === null ? null : [Math.round(box.x), Math.round(390 - box.x - box.width)]
  }
  await expect.poll(readMargins).toEqual([16, 16])
})

test('on a phone, attention and balance come first and the charts come last', async () => {
  await openDashboardWithDeposits({ width: 390, height: 844 })
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  expect(titles).toEqual([
    'Needs your attention',
    'Net worth',
    'Next',
    'Recent Investments',
    'Recent Transactions',
    'Net worth over time',
    'Invested by plan',
    'Profile',
  ])
  const total = await page.getByRole('heading', { name: 'Net worth', exact: true }).boundingBox()
  expect(total?.y).toBeLessThan(400)
  const card = page.getByRole('region', { name: 'Needs your attention' })
  await expect.poll(() => card.getByRole('link').count()).toBe(1)
  await card.getByRole('button', { name: 'Show all 3' }).focus()
  await page.keyboard.press('Enter')
  await card.getByRole('link', { name: 'Set up two-factor authentication' }).waitFor()
  await expect.poll(() => card.getByRole('link').count()).toBe(3)
  await page.keyboard.press('Enter')
  await expect.poll(() => card.getByRole('link').count()).toBe(1)
})
