import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Platform, startPlatform } from './platform.ts'
import { LOGINS, SITE_PAGES, type Visitor } from './site-pages.ts'
import { logIn, openWindow, settle } from './visit.ts'

const VISITORS: readonly Visitor[] = ['visitor', 'investor', 'admin']
const LOOKS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
] as const

let platform: Platform
let browser: Browser
beforeAll(async () => {
  ;[platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  await platform.remove()
})

describe.each(VISITORS)('WCAG 2.2 AA: the pages of an %s', (visitor) => {
  test.each(LOOKS)('$width px, $theme', async (look) => {
    const page = await openWindow(browser, look)
    const login = LOGINS[visitor]
    if (login !== null) await logIn(page, platform.url, login)
    const found: string[] = []
    for (const path of SITE_PAGES[visitor]) {
      await page.goto(`${platform.url}${path}`)
      await settle(page)
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth,
      )
      if (isTooWide) found.push(`${path} scrolls sideways`)
      for (const violation of await findViolations(page)) found.push(`${path} ${violation}`)
    }
    await page.context().close()
    expect(found).toEqual([])
  })
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
