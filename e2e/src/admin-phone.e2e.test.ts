import { beforeEach, expect, test } from 'vitest'
import { requestDeposit, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const PHONE = { width: 390, height: 844 } as const

beforeEach(async () => {
  await page.setViewportSize(PHONE)
  await signIn(page, platform, LOGINS.admin)
})

test('a link to the history of the settings shows entries on the first screen', async () => {
  await changeSettings(platform, 'payment', { minWithdrawal: 11 })
  await openPath('/manage/admin/audit?subject=settings')
  await waitUntilLoaded(page)
  const entry = page.getByRole('button', { name: /changed the settings.*Details$/ }).first()
  await entry.waitFor()
  const box = await entry.boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(PHONE.height - 150)
  // The check of the audit log is still on the page, below the entries.
  const integrity = await page.getByRole('heading', { name: 'Integrity' }).boundingBox()
  expect(integrity?.y).toBeGreaterThan(box?.y ?? Infinity)
  await entry.click()
  await page.getByRole('dialog').getByText('$11.00').waitFor()
  await changeSettings(platform, 'payment', { minWithdrawal: 10 })

  await openPath('/manage/admin/audit')
  await waitUntilLoaded(page)
  const above = await page.getByRole('heading', { name: 'Integrity' }).boundingBox()
  const entries = await page.getByRole('heading', { name: 'Entries' }).boundingBox()
  expect(above?.y).toBeLessThan(entries?.y ?? 0)
})

test('the filters of the transactions are cleared with one button', async () => {
  await requestDeposit(platform, LOGINS.investor, '43.43')
  await openPath('/manage/admin/transactions?status=pending&type=deposit')
  const button = page.getByRole('button', { name: 'Clear the filters' })
  await button.click()
  await page.waitForURL((url) => url.search === '')
  await button.waitFor({ state: 'detached' })
  const search = page.getByRole('searchbox', { name: /^Search transactions/ })
  expect(await search.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('the bar of the settings covers nothing on a phone until there is a change', async () => {
  await openPath('/manage/admin/settings?tab=payment')
  await waitUntilLoaded(page)
  const save = page.getByRole('button', { name: 'Save Settings', includeHidden: true })
  const findTop = () =>
    save.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  expect(await save.isVisible()).toBe(false)
  expect(await findTop()).toBe(false)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const field = page.getByLabel('Minimum deposit')
  await field.fill('11')
  await expect.poll(() => save.isVisible()).toBe(true)
  expect(await findTop()).toBe(true)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => save.isVisible()).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height)
  // A result is shown without a change.
  await field.fill('12')
  await save.click()
  await page.getByRole('status').getByText('Settings saved successfully!').waitFor()
  expect(await save.isVisible()).toBe(true)
  await changeSettings(platform, 'payment', { minDeposit: 10 })
})

test('Back to the page on which the menu was opened does not open the menu', async () => {
  await openPath('/manage/admin/transactions')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const close = page.getByRole('button', { name: 'Close the menu' }).first()
  await close.waitFor()
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Plans' })
    .click()
  await page.getByRole('heading', { name: 'Manage Plans' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Transactions', level: 1, includeHidden: true }).waitFor()
  await waitUntilLoaded(page)
  expect(await close.isVisible()).toBe(false)
})
