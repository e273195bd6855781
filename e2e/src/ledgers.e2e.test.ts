import { expect, test } from 'vitest'
import { addAdmin } from './people.ts'
import { page, platform } from './shared-site.ts'
import { openAdminPage, openAs, useTwoAdmins } from './two-admins.ts'

useTwoAdmins()

test('the page of ledgers shows the first one, and what to do about one that is not served', async () => {
  await openAdminPage('ledgers')
  const row = page.getByRole('row', { name: /Ledger 1/ })
  await row.getByText('Reachable').waitFor()
  await row.getByText('Open', { exact: true }).waitFor()
  await expect.poll(() => row.locator('td:last-child > svg').count()).toBe(1)
  await page.getByRole('button', { name: 'Add ledger' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number').fill('two')
  await dialog.getByRole('button', { name: 'Add ledger' }).click()
  await dialog.getByText('Number must be a whole number from 1 to 1000').first().waitFor()
  await dialog.getByLabel('Number').fill('1000')
  await dialog.getByLabel('Name').fill('West')
  await dialog.getByRole('button', { name: 'Add ledger' }).click()
  await dialog.getByText('The ledger service does not serve ledger 1000.').waitFor()
  await page.keyboard.press('Escape')
})

test('the last open ledger stays open', async () => {
  await openAdminPage('ledgers')
  await page.getByRole('button', { name: 'Close ledger 1' }).click()
  await page.getByRole('button', { name: 'Close for New People' }).click()
  await page.getByText('One ledger must stay open for new people.').waitFor()
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Ledger 1/ })
    .getByText('Open', { exact: true })
    .waitFor()
})

test('an administrator who may not change settings only reads the ledgers, and others do not see the page', async () => {
  const finance = await openAs(await addAdmin(platform, { name: 'Fay Finance', role: 'finance' }))
  await openAdminPage('ledgers', finance)
  await finance.getByRole('row', { name: /Ledger 1/ }).waitFor()
  expect(await finance.getByRole('button', { name: 'Add ledger' }).count()).toBe(0)
  expect(await finance.getByRole('button', { name: /ledger 1$/ }).count()).toBe(0)
  expect(await finance.locator('tbody td:last-child > svg').count()).toBe(0)
  const support = await openAs(await addAdmin(platform, { name: 'Sid Support', role: 'support' }))
  await openAdminPage('ledgers', support)
  await support.getByRole('heading', { name: 'You do not have access' }).waitFor()
})
