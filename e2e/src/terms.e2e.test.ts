import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { signIn } from './people.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const findButton = (on: Page, term: string) =>
  on.getByRole('button', { name: `What does “${term}” mean?` }).first()
const findText = (on: Page, title: string) => on.getByRole('dialog', { name: title, exact: true })

test('a term on the landing page is explained by a touch, and closed by a touch beside it', async () => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await phone.goto(platform.url)
  await waitUntilLoaded(phone)
  const button = findButton(phone, 'coverage')
  const text = findText(phone, 'Reserve coverage')
  await button.tap()
  await text.getByText('principal is not covered').waitFor()
  const { x = -1, width = 0 } = (await text.boundingBox()) ?? {}
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(390)
  expect(await findViolations(phone)).toEqual([])
  await button.tap()
  await text.waitFor({ state: 'detached' })
  await button.tap()
  await text.waitFor()
  await phone.getByRole('heading', { level: 1 }).tap()
  await text.waitFor({ state: 'detached' })
  await context.close()
})

test('a term is explained by keyboard, with its text as the description', async () => {
  await signIn(page, platform, LOGINS.investor)
  await page.goto(`${platform.url}/manage/investor/dashboard`)
  await waitUntilLoaded(page)
  const button = findButton(page, 'held')
  const text = findText(page, 'Held')
  await page.getByRole('application').first().waitFor()
  const open = async () => {
    await button.focus()
    await page.keyboard.press('Enter')
    await text.waitFor()
    await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
  }
  await open()
  const description = await text.getAttribute('aria-describedby')
  await expect
    .poll(() => page.locator(`[id="${description}"]`).textContent())
    .toContain('Money of a pending withdrawal,')
  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  expect(await button.evaluate((it) => it === document.activeElement)).toBe(true)
  await open()
  await page.keyboard.press('Tab')
  await text.waitFor({ state: 'detached' })
  // The next element that can get the keyboard focus explains the second line of the chart.
  const next = findButton(page, 'paid in and credited')
  expect(await next.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('a term in a panel is explained, and Escape closes the explanation alone', async () => {
  await signIn(page, platform, LOGINS.investor)
  await page.goto(`${platform.url}/manage/investor/investments`)
  await page
    .getByRole('button', { name: /Details of/ })
    .first()
    .click()
  const panel = page.getByRole('dialog').first()
  await findButton(page, 'principal').click()
  await findText(page, 'Principal').getByText('without profit').waitFor()
  await page.keyboard.press('Escape')
  await findText(page, 'Principal').waitFor({ state: 'detached' })
  await expect.poll(() => panel.isVisible()).toBe(true)
})

test.each([
  ['/', 'principal', 'Principal'],
  ['/manage/investor/investments?view=new', 'principal', 'Principal'],
  ['/manage/investor/investments?view=new', 'coverage', 'Reserve coverage'],
  ['/manage/investor/dashboard', 'principal', 'Principal'],
  ['/manage/investor/withdrawal', 'held', 'Held'],
])('on the page %s, the term "%s" is explained beside it', async (path, term, title) => {
  await signIn(page, platform, LOGINS.investor)
  await page.goto(`${platform.url}${path}`)
  await waitUntilLoaded(page)
  await findButton(page, term).click()
  await findText(page, title).waitFor()
})
