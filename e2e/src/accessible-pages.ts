import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { chooseLooks } from './page-looks.ts'
import { signIn } from './people.ts'
import { browser, platform } from './shared-site.ts'
import { LOGINS, listSitePages, type Visitor } from './site-pages.ts'
import { findSmallTargets } from './small-targets.ts'
import { type Look, openWindow, waitUntilLoaded } from './visit.ts'

const DESK = { width: 1440, height: 900 } as const
const PHONE = { width: 390, height: 844 } as const

export const FIRST_LOOK = { ...DESK, theme: 'light' } as const
/** Each pair has both widths and both themes. */
const PAIRS = [
  [FIRST_LOOK, { ...PHONE, theme: 'dark' }],
  [
    { ...PHONE, theme: 'light' },
    { ...DESK, theme: 'dark' },
  ],
] as const

/**
 * Returns the problems of a loaded page in some widths and themes: WCAG violations, small targets
 * and sideways scrolling.
 */
async function findProblems(page: Page, looks: readonly Look[]): Promise<readonly string[]> {
  const found: string[] = []
  await page.evaluate(() => {
    // Disables transitions, so that axe does not measure colours during a change of theme. Also
    // lays out off-screen content, which could make the page too wide.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { transition: none !important; content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  for (const { width, height, theme } of looks) {
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

/** Defines a test of all pages of a visitor, in two widths and two themes. */
export function testPagesOfVisitor(visitor: Visitor): void {
  test(`WCAG 2.2 AA: the pages of an ${visitor} in two widths and themes`, async () => {
    const page = await openWindow(browser, FIRST_LOOK)
    const login = LOGINS[visitor]
    if (login !== null) await signIn(page, platform, login)
    const found: string[] = []
    for (const [place, { name, path }] of (await listSitePages(visitor, platform)).entries()) {
      await page.goto(`${platform.url}${path}`)
      await waitUntilLoaded(page)
      for (const time of await listTimesWithoutZone(page)) found.push(`${name} no zone of ${time}`)
      const looks = chooseLooks(PAIRS, place).flat()
      for (const problem of await findProblems(page, looks)) found.push(`${name} ${problem}`)
    }
    await page.context().close()
    expect(found).toEqual([])
  })
}
