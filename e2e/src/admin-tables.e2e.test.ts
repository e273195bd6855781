import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addAdmin, addInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

// The layout of a table is stored per account, so each test uses a new administrator.
beforeEach(async () => signIn(page, platform, await addAdmin(platform, { role: 'support' })))

async function openUsers(search = ''): Promise<void> {
  await page.goto(`${platform.url}/manage/admin/users${search}`)
  await page.getByRole('table', { name: 'Users' }).waitFor()
}

const openMenu = () => page.getByRole('button', { name: 'View', exact: true }).click()

test('a hidden column and compact rows stay with the account', async () => {
  await openUsers()
  const country = page.getByRole('columnheader', { name: 'Country' })
  await country.waitFor()
  await openMenu()
  const waitForSavedPreference = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await Promise.all([
    waitForSavedPreference(),
    page.getByRole('menuitemcheckbox', { name: 'Country', exact: true }).click(),
  ])
  await country.waitFor({ state: 'detached' })
  await Promise.all([
    waitForSavedPreference(),
    page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click(),
  ])
  await openUsers()
  await page.getByRole('columnheader', { name: 'Available' }).waitFor()
  await country.waitFor({ state: 'detached' })
})

test('a view is saved by name, opened again and removed', async () => {
  await openUsers('?status=active&sort=createdAt&page=1')
  await openMenu()
  await page.getByRole('menuitem', { name: 'Save or remove views' }).click()
  await page.getByLabel('Name of the current view').fill('Oldest active users')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Oldest active users' }).waitFor()

  await openUsers()
  await openMenu()
  await page.getByRole('menuitem', { name: 'Oldest active users' }).click()
  await page.waitForURL((url) => url.search === '?status=active&sort=createdAt')
  await openMenu()
  await page.getByRole('menuitem', { name: 'Save or remove views' }).click()
  await page.getByRole('button', { name: 'Remove Oldest active users' }).click()
  await page.getByText('No saved views yet.').waitFor()
})

test('a list is sorted on a phone, where it has no header', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${platform.url}/manage/admin/transactions`)
  await page.getByRole('list', { name: 'Transactions' }).waitFor()
  await openMenu()
  await page.getByRole('menuitemcheckbox', { name: 'Amount, descending' }).click()
  await page.waitForURL((url) => url.searchParams.get('sort') === '-amount')
  await page.keyboard.press('Escape')
  const rows = page.getByRole('list', { name: 'Transactions' }).locator('li')
  const readAmounts = async () =>
    (await rows.allTextContents()).map((row) =>
      Number(row.match(/\$([\d,]+\.\d\d)/)?.[1]?.replaceAll(',', '')),
    )
  // The unsorted rows stay visible until the sorted rows have loaded.
  await expect
    .poll(async () => {
      const amounts = await readAmounts()
      return (
        amounts.length > 2 &&
        amounts.every((amount, at) => at === 0 || amount <= (amounts[at - 1] ?? 0))
      )
    })
    .toBe(true)
})

test('the search of the dashboard finds people, transactions, investments and plans', async () => {
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const open = async (text: string, group: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search dashboard' })
    await palette.getByRole('combobox').fill(text)
    const found = palette.getByRole('group', { name: group })
    await found.getByRole('option', { name: option }).first().click()
    await palette.waitFor({ state: 'detached' })
  }
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await open('Chloe', 'People', /^Chloe Martin/)
  await page.getByRole('heading', { level: 1, name: 'Chloe Martin' }).waitFor()
  // Users press Escape after the panel has opened, so each step waits for the panel.
  const closePanel = async () => {
    const panel = page.getByRole('dialog')
    await panel.getByText('Chloe Martin').first().waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  }
  const transaction = /^Deposit \S+, Chloe Martin\s*\$[\d,]+\.\d\d, \w{3} \d+, \d{4}$/
  await open('Chloe', 'Transactions', transaction)
  await closePanel()
  await open('Chloe', 'Investments', /Chloe Martin/)
  await page.waitForURL(/investments\?investment=/)
  await closePanel()
  await open('Starter', 'Plans', /^Starter\s*Plan$/)
  await page.waitForURL(/admin\/plans/)
})

test('selected requests are declined together, and each call has its own result', async () => {
  const person = await addInvestor(platform)
  for (const amount of ['61', '62', '63']) await requestDeposit(platform, person, amount)
  await signIn(page, platform, await addAdmin(platform, { role: 'finance' }))
  const search = new URLSearchParams({ status: 'pending', q: person.email })
  await page.goto(`${platform.url}/manage/admin/transactions?${search}`)
  const table = page.getByRole('table', { name: 'Transactions' })
  const boxes = table.getByRole('checkbox', { name: /^Select Deposit / })
  await expect.poll(() => boxes.count()).toBe(3)
  await boxes.nth(0).check()
  await boxes.nth(1).press('Space')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByText('$125.00 in deposits').waitFor()
  await bar.getByRole('button', { name: 'Decline selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decline 2 transactions?' })
  const decline = dialog.getByRole('button', { name: 'Decline 2 transactions' })
  await decline.click()
  await dialog.getByText('Give a reason').waitFor()
  await dialog.getByLabel('Reason').fill('No payment arrived within a week')
  const refuseOnce = { times: 1 }
  await page.route('**/action/decline', (route) => route.fulfill({ status: 503 }), refuseOnce)
  await decline.click()
  await dialog.getByText('1 of 2 finished').waitFor()
  await dialog.getByText('Failed to decline transaction').waitFor()
  await dialog.getByRole('button', { name: 'Retry the remaining 1' }).click()
  await dialog.getByText('2 of 2 finished').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => boxes.count()).toBe(1)
  await bar.waitFor({ state: 'detached' })
})

test('the placeholders of selectable rows have the column of the checkboxes', async () => {
  await requestDeposit(platform, await addInvestor(platform), '64')
  await signIn(page, platform, await addAdmin(platform, { role: 'finance' }))
  const answers = Promise.withResolvers<void>()
  await page.route(/v1\/transactions\?/, async (route) => {
    await answers.promise
    await route.continue()
  })
  const readCells = (row: Locator) =>
    row.evaluate((it) => {
      const cells = [...it.children]
      return { count: cells.length, left: cells[1]?.getBoundingClientRect().left }
    })
  await page.goto(`${platform.url}/manage/admin/transactions`)
  const loading = await readCells(page.locator('main table[aria-hidden] tbody tr').first())
  answers.resolve()
  const table = page.getByRole('table', { name: 'Transactions' })
  await table.getByRole('checkbox', { name: 'Select all rows on this page' }).waitFor()
  expect(await readCells(table.locator('tbody tr').first())).toEqual(loading)
})

test('users have one count, and their net worth beside the available amount', async () => {
  await signIn(page, platform, LOGINS.admin)
  await page.goto(`${platform.url}/manage/admin/users?q=ivy`)
  const row = page.getByRole('row').filter({ hasText: 'Ivy Morgan' })
  await row.waitFor()
  const cells = await row.getByRole('cell').allTextContents()
  const [worth, available] = cells.filter((text) => text.startsWith('$'))
  const toNumber = (text = '') => Number(text.replaceAll(/[$,]/g, ''))
  expect(toNumber(worth)).toBeGreaterThan(toNumber(available))
  // Other tests add people, some of whose addresses match a short search.
  const found = await (await openAdminApi(platform)).get(`users?q=${LOGINS.investor.email}`)
  const { balance, profit, referralBalance } = found.body.data.users[0].wallet[0]
  expect(profit + referralBalance).toBeGreaterThan(0)
  expect(toNumber(available)).toBeCloseTo(balance + profit + referralBalance, 2)
  await page.getByText(/^\d+ Records?$/).waitFor()
  await openUsers()
  expect(await page.getByText(/^\d+ Records?$/).count()).toBe(0)
})

test('an event is found by the reference of its transaction', async () => {
  const person = await addInvestor(platform)
  const { reference } = await requestDeposit(platform, person, '71')
  await signIn(page, platform, LOGINS.admin)
  await page.goto(`${platform.url}/manage/admin/ledger`)
  await page.getByLabel('Reference').fill(reference.toLowerCase())
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/reference=/)
  await expect.poll(() => page.getByRole('button', { name: /Event \d+$/ }).count()).toBe(1)
})
