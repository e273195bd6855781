import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { signIn } from './people.ts'
import { browser, platform } from './shared-site.ts'
import { LOGINS, listSitePages, type Visitor } from './site-pages.ts'
import { findSmallTargets } from './small-targets.ts'
import { openWindow, waitUntilLoaded } from './visit.ts'

export const LOOKS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
] as const

/**
 * Returns the problems of a loaded page in each width and theme: WCAG violations, small targets and
 * sideways scrolling.
 */
async function findProblems(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  await page.evaluate(() => {
    // Disables transitions, so that axe does not measure colours during a change of theme. Also
    // lays out off-screen content, which could make the page too wide.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { transition: none !important; content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  for (const { width, height, theme } of LOOKS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme })
    await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme)
    await waitUntilLoaded(page)
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    )
    if (isTooWide) found.push(`${width} px, ${theme}: scrolls sideways`)
    if (theme === 'light') {
      for (const problem of await findSmallTargets(page)) found.push(`${width} px: ${problem}`)
    }
    // Only the contrast depends on the theme, so all other rules are checked once.
    const rules = theme === 'light' ? 'all' : 'contrast'
    for (const violation of await findViolations(page, rules)) {
      found.push(`${width} px, ${theme}: ${violation}`)
    }
  }
  return found
}

/** Lists the clock times of a page that names their time zone nowhere. */
async function listTimesWithoutZone(page: Page): Promise<readonly string[]> {
  return page.locator('main').evaluate((main) => {
    if (/Times in \w/.test(main.textContent ?? '')) return []
    return [...main.querySelectorAll('time')]
      .filter((time) => time.checkVisibility())
      .map((time) => time.textContent ?? '')
      .filter((text) => /\d:\d\d/.test(text) && !text.endsWith('UTC'))
  })
}

/** Defines a test of all pages of a visitor, in each width and theme. */
export function testPagesOfVisitor(visitor: Visitor): void {
  test(`WCAG 2.2 AA: the pages of an ${visitor} in two widths and themes`, async () => {
    const page = await openWindow(browser, LOOKS[0])
    const login = LOGINS[visitor]
    if (login !== null) await signIn(page, platform, login)
    const found: string[] = []
    for (const { name, path } of await listSitePages(visitor, platform)) {
      await page.goto(`${platform.url}${path}`)
      await waitUntilLoaded(page)
      for (const time of await listTimesWithoutZone(page)) found.push(`${name} no zone of ${time}`)
      for (const problem of await findProblems(page)) found.push(`${name} ${problem}`)
    }
    await page.context().close()
    expect(found).toEqual([])
  })
}
