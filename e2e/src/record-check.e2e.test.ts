import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

const RESULT = '**/api/v1/public/verification'

useSharedSite()
beforeEach(() => signIn(page, platform, LOGINS.investor))

test('the dashboard says when the record passed its last check, and leads to a check', async () => {
  const admin = await openAdminApi(platform)
  await admin.send('POST', 'admin/ledger/verifications', { since: '0' })
  const readResult = async () => (await admin.get('public/verification')).body.data.verification
  await expect.poll(readResult).toMatchObject({ state: 'agrees' })
  await openPath('/manage/investor/dashboard')
  const line = page.getByText(/^Record check passed \w{3} \d+, \d+:\d\d [AP]M .*Times in \w+/)
  await line.getByRole('link', { name: 'Verify a receipt' }).click()
  await page.getByRole('heading', { level: 1, name: 'Verify a receipt' }).waitFor()
  await page.getByRole('link', { name: 'choose a transaction' }).click()
  await page.getByRole('heading', { name: 'Transaction History' }).waitFor()
})

test.each([
  ['differs', /^Record check failed \w{3} \d+, \d+:\d\d [AP]M/],
  ['none', /^Record not checked yet/],
])('sabotaged twin: a record with the result "%s" is not shown as checked', async (state, text) => {
  const startedAt = '2026-11-26T02:00:00.000Z'
  const verification = state === 'none' ? null : { startedAt, state }
  await page.route(RESULT, async (route) => {
    await route.fulfill({ json: { status: 'success', data: { verification } } })
  })
  await openPath('/manage/investor/dashboard')
  await page.getByText(text).waitFor()
  expect(await page.getByText(/Record check passed/).count()).toBe(0)
  await page.unroute(RESULT)
})

test('each recent transaction leads to its receipt, which the browser verifies', async () => {
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  const table = page.getByRole('table', { name: 'Recent Transactions' })
  const links = table.getByRole('link', { name: /^Receipt of / })
  await expect.poll(() => links.count()).toBe((await table.getByRole('row').count()) - 1)
  await links.first().click()
  const proof = page.getByRole('dialog').getByRole('region', { name: 'Ledger receipt' })
  await expect.poll(() => proof.evaluate(isInWindow)).toBe(true)
  await proof.getByRole('button', { name: 'Verify' }).click()
  await proof.getByText('This receipt matches the signed ledger.').waitFor()
})

test('the verdict of a deposit is in the window with the focus, before the picture of the payment', async () => {
  await page.setViewportSize({ width: 390, height: 600 })
  const person = await addInvestor(platform)
  const { id } = await requestDeposit(platform, person, '43')
  await signIn(page, platform, person)
  await openPath(`/manage/investor/transactions?transaction=${id}`)
  const panel = page.getByRole('dialog')
  const verdict = panel.getByText('This receipt matches the signed ledger.')
  await panel.getByRole('button', { name: 'Verify' }).click()
  await expect.poll(() => verdict.evaluate(isInWindow)).toBe(true)
  const hasFocus = (element: Element) => document.activeElement?.contains(element) === true
  expect(await verdict.evaluate(hasFocus)).toBe(true)
  const picture = panel.getByRole('img', { name: /^Your payment proof/ })
  expect(await isBefore(verdict, picture)).toBe(true)
})

async function isBefore(first: Locator, second: Locator): Promise<boolean> {
  const [above, below] = [await first.boundingBox(), await second.boundingBox()]
  return (above?.y ?? Infinity) < (below?.y ?? -Infinity)
}

function isInWindow(element: Element): boolean {
  const { top } = element.getBoundingClientRect()
  return top >= 0 && top < window.innerHeight
}

test('on a phone, a page that is opened from a dialog begins at its top', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPath('/manage/investor/transactions')
  await page
    .getByRole('button', { name: /Details of / })
    .first()
    .click()
  await page.getByRole('link', { name: 'the verify page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Verify a receipt' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})
