import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, SITE_PAGES, type Visitor } from './site-pages.ts'
import { openWindow, settle } from './visit.ts'

const VISITORS: readonly Visitor[] = ['visitor', 'investor', 'admin']
const LOOKS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
] as const

useSharedSite()

/** What is wrong with a loaded page in each look: a violation, or a width that scrolls sideways. */
async function findProblems(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const { width, height, theme } of LOOKS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme })
    await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme)
    await settle(page)
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    )
    if (isTooWide) found.push(`${width} px, ${theme}: scrolls sideways`)
    for (const violation of await findViolations(page)) {
      found.push(`${width} px, ${theme}: ${violation}`)
    }
  }
  return found
}

// Each page is loaded once and looked at in every width and theme.
test.each(VISITORS)('WCAG 2.2 AA: the pages of an %s in two widths and themes', async (visitor) => {
  const page = await openWindow(browser, LOOKS[0])
  const login = LOGINS[visitor]
  if (login !== null) await signIn(page, platform, login)
  const found: string[] = []
  for (const path of SITE_PAGES[visitor]) {
    await page.goto(`${platform.url}${path}`)
    await settle(page)
    for (const problem of await findProblems(page)) found.push(`${path} ${problem}`)
  }
  await page.context().close()
  expect(found).toEqual([])
})

test('public pages can be read, and their links followed, before any script has come', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/', '/about_us', '/services', '/investment', '/faqs']) {
    await page.goto(`${platform.url}${path}`)
    expect(await page.locator('h1').first().textContent(), path).not.toBe('')
  }
  await page.getByRole('link', { name: 'Login' }).first().click()
  await page.waitForURL(/users\/login$/)
  // A form that nothing would take up yet takes nothing.
  expect(await page.locator('#root').getAttribute('inert')).toBe('')
  await context.close()
})

test('its sabotaged twin: a page that lost a label is found', async () => {
  const page = await openWindow(browser, LOOKS[0])
  await page.goto(`${platform.url}/users/login`)
  await settle(page)
  await page.evaluate(() => {
    for (const label of document.querySelectorAll('label')) label.removeAttribute('for')
  })
  const found = await findViolations(page)
  await page.context().close()
  expect(found.join()).toContain('label')
})
