import { expect, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { addInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()
const { investor } = LOGINS

test('a notification opens its page and is then read', async () => {
  const person = await addInvestor(platform)
  const { id } = await requestDeposit(platform, person, '64')
  await signIn(page, platform, person)
  await openPath('/manage/investor/dashboard')
  const office = await openAdminApi(platform)
  await office.send('PATCH', `transactions/${id}/action/approve`)
  const bell = page.getByRole('button', { name: /Notifications, \d+ unread/ })
  await bell.waitFor()
  await bell.click()
  await page
    .getByRole('menuitem', { name: /Deposit of \$64(\.00)? approved/ })
    .first()
    .click()
  await page.getByRole('dialog').getByText('$64.00').first().waitFor()
  await openPath('/manage/investor/notifications')
  const first = page.getByRole('main').getByRole('button', { name: /\$64(\.00)? approved/ })
  await first.first().waitFor()
  expect(await first.first().textContent()).not.toContain('unread')
  const all = page.getByRole('button', { name: 'Mark all as read' })
  if (await all.isEnabled()) await all.click()
  await page.getByText('No unread notifications').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('the demo user has notifications of the last hour of its history', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/notifications')
  const titles = [
    'An investment has ended with $1 profit',
    'Deposit of $200 approved',
    'Withdrawal of $100 paid',
  ]
  const buttons = page.getByRole('main').getByRole('button')
  for (const title of titles) await buttons.filter({ hasText: title }).waitFor()
  const found = (await buttons.allTextContents()).flatMap((text) =>
    titles.filter((title) => text.includes(title)),
  )
  expect(found).toEqual(titles)
})

test('the dashboard leads to a withdrawal, and the menu to help', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/dashboard')
  await page.getByRole('link', { name: 'Withdraw Funds' }).click()
  await page.getByRole('heading', { name: 'Select Withdrawal Source' }).waitFor()
  await page.getByRole('link', { name: 'Help' }).click()
  await page.getByRole('heading', { level: 1, name: 'FAQs' }).waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).first().waitFor()
})

test('the chart of the net worth is read by keyboard and as a table', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/dashboard')
  const chart = page.getByRole('application').first()
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  const tip = page.locator('.recharts-tooltip-wrapper')
  await tip.getByText('Invested').waitFor()
  await tip.getByText('Paid in').waitFor()
  await tip.getByText('Credited by an administrator').waitFor()
  const button = page.getByRole('button', { name: 'Show as table' }).first()
  await button.click()
  const table = page.getByRole('table', { name: 'Net worth' })
  await table.getByRole('columnheader', { name: 'Total' }).waitFor()
  await table.getByRole('columnheader', { name: 'Paid in, net', exact: true }).waitFor()
  await table.getByRole('columnheader', { name: 'Credited' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(30)
  await button.click()
  await table.waitFor({ state: 'detached' })
})

test.each(['transactions', 'investments'])(
  'an empty list of %s is cleared by keyboard',
  async (name) => {
    await signIn(page, platform, investor)
    await openPath(`/manage/investor/${name}?q=zzzz`)
    const button = page.getByRole('button', { name: 'Clear the filters' })
    await button.focus()
    await page.keyboard.press('Enter')
    await button.waitFor({ state: 'detached' })
    const field = page.getByRole('searchbox', { name: `Search your ${name}` })
    await expect.poll(() => field.inputValue()).toBe('')
    expect(await field.evaluate((it) => it === document.activeElement)).toBe(true)
  },
)

test('the tabs of the settings fade where more tabs follow, on a phone only', async () => {
  await signIn(page, platform, LOGINS.investor)
  await page.setViewportSize({ width: 390, height: 844 })
  await openPath('/manage/investor/settings')
  const list = page.getByRole('tablist')
  const readFades = () =>
    list.evaluate((it) =>
      ['--fade-start', '--fade-end'].map((name) =>
        Math.round(Number.parseFloat(getComputedStyle(it).getPropertyValue(name))),
      ),
    )
  await expect.poll(readFades).toEqual([0, 48])
  const tab = list.getByRole('tab', { name: 'Documents and fees' })
  await list.getByRole('tab').first().focus()
  await page.keyboard.press('End')
  await expect.poll(readFades).toEqual([48, 0])
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
  await page.setViewportSize({ width: 1_440, height: 900 })
  await expect.poll(readFades).toEqual([0, 0])
})

test('the command palette finds pages and actions, and one button hides every amount', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/dashboard')
  await page.getByText('Account Balance').waitFor()
  await page
    .getByText(/\$[\d,]+\.\d\d/)
    .first()
    .waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search dashboard' })
  await palette.getByRole('combobox').fill('hide')
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
  await page.getByText('Amount hidden').first().waitFor()
  for (const path of ['dashboard', 'investments', 'transactions', 'withdrawal', 'referrals']) {
    await openPath(`/manage/investor/${path}`)
    await page.getByText('Amount hidden').first().waitFor()
    const main = await page.getByRole('main').textContent()
    expect(main?.match(/\$\s?[\d,]+\.\d\d/g) ?? null, path).toBeNull()
  }
  await page.getByRole('button', { name: 'Show all figures' }).click()
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('no such thing')
  await palette.getByText('No matching pages or actions').waitFor()
  await palette.getByRole('combobox').fill('bank')
  await page.keyboard.press('Enter')
  await page.waitForURL(/banks=open/)
  await page.getByRole('dialog', { name: 'Bank Accounts' }).waitFor()
})

test('every referral is counted, and older referrals load on request', async () => {
  const REFERRED = 63
  const person = await addInvestor(platform, { balance: 0, hasBank: false })
  await runSqlAsSuperuser(
    platform,
    `insert into identity.user
     select (jsonb_populate_record(original, jsonb_build_object(
       'id', overlay(original.id placing lpad(place::text, 3, '0') from length(original.id) - 2),
       'email', 'referred.' || place || '.${person.email}',
       'account_id', lpad(place::text, 4, '0') || substr(original.account_id, 5),
       'name', 'Referred ' || place,
       'referrer_id', original.id))).*
     from identity.user as original, generate_series(1, ${REFERRED}) as place
     where original.id = '${person.id}'`,
  )
  await signIn(page, platform, person)
  await openPath('/manage/investor/referrals')
  const rows = page.getByRole('table', { name: 'Referred users' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(50)
  const figures = page.getByRole('region', { name: 'Your referrals' })
  await figures.getByText(String(REFERRED), { exact: true }).waitFor()
  await page
    .getByText(/for each investment of a user you referred, once per investment\./)
    .waitFor()
  const more = page.getByRole('button', { name: 'Load older referrals' })
  await more.click()
  await more.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(REFERRED)
})

test('the address contains the filter of investments, and the export applies it', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/investments')
  const running = page.getByRole('row').filter({ hasText: 'Active' }).first()
  const next = /Next \$[\d,]+\.\d\d on \w{3} \d+, \d+:\d\d [AP]M$/
  // The cell of the profit, after the plan and the amount.
  await expect.poll(() => running.getByRole('cell').nth(2).textContent()).toMatch(next)
  const totals = page.getByRole('region', { name: 'Your investments' })
  await expect
    .poll(() => totals.textContent())
    .toMatch(/Since the start; \$[\d,]+\.\d\d available now/)
  const status = page.getByRole('combobox', { name: 'Status' })
  const count = page.getByRole('status').filter({ hasText: /^\d+ Records?$/ })
  await count.filter({ hasText: /^[1-9]/ }).waitFor()
  // A search is used, because tests in other files can add investments of any status.
  await openPath('/manage/investor/investments?q=no+such+plan')
  await page.getByText('Try adjusting your search or filter criteria').waitFor()
  await expect.poll(() => count.textContent()).toBe('0 Records')
  expect(await countExportedRows()).toBe(0)
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  for (const state of ['denied', 'active']) {
    await status.selectOption(state)
    await page.waitForURL(new RegExp(`status=${state}`))
    const readShownCount = async () => Number.parseInt((await count.textContent()) ?? '', 10)
    await expect.poll(async () => (await readShownCount()) - (await countExportedRows())).toBe(0)
  }
  expect(await countExportedRows()).toBeGreaterThan(0)
})

/** Returns the number of rows in the page's export. */
async function countExportedRows(): Promise<number> {
  const path = (await page.getByRole('link', { name: 'Export' }).getAttribute('href')) ?? ''
  const text = await page.evaluate((each) => fetch(each).then((answer) => answer.text()), path)
  return text.trim().split('\n').length - 1
}
