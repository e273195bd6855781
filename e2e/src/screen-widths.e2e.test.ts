import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, SITE_PAGES, type Visitor } from './site-pages.ts'
import { waitPastRetries, waitUntilLoaded } from './visit.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

const WIDE = { width: 1_920, height: 1_080 }
/** The style sheet allows about 80 letters. A line of narrow letters has a few more. */
const MAX_LETTERS = 90

async function openAs(visitor: Visitor, size: typeof WIDE): Promise<Page> {
  const window = await openWatched(browser, { ...size, theme: 'light' })
  const login = LOGINS[visitor]
  if (login !== null) await signIn(window, platform, login)
  return window
}

async function findLongLines(window: Page): Promise<readonly string[]> {
  return window.evaluate((maxLetters) => {
    const long: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const text = node.textContent?.trim() ?? ''
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      // The risk banner has one line on purpose. The cells of a table have the width of a column.
      const isException = node.parentElement?.closest('[aria-label="Risk"], table, script, style')
      if (isException === null && lines.size > 0 && text.length / lines.size > maxLetters) {
        long.push(text)
      }
    }
    return long
  }, MAX_LETTERS)
}

const TEXT_PAGES = {
  visitor: SITE_PAGES.visitor,
  investor: SITE_PAGES.investor.filter((path) => /referrals|settings/.test(path)),
  admin: SITE_PAGES.admin.filter((path) => /settings|checkpoints|audit|jobs|plans/.test(path)),
} as const

test.each(['visitor', 'investor', 'admin'] as const)(
  'no line of text is too long for a reader on a wide screen (%s)',
  async (visitor) => {
    const window = await openAs(visitor, WIDE)
    const found: string[] = []
    for (const path of TEXT_PAGES[visitor]) {
      await window.goto(`${platform.url}${path}`)
      await waitUntilLoaded(window)
      for (const text of await findLongLines(window)) found.push(`${path} ${text}`)
    }
    expect(found).toEqual([])
  },
)

test('its sabotaged twin: a text as wide as the page is reported', async () => {
  const window = await openAs('visitor', WIDE)
  await window.goto(`${platform.url}/faqs`)
  await waitUntilLoaded(window)
  await window.evaluate(() => {
    const late = document.createElement('p')
    late.textContent = 'A text without a limit of its width. '.repeat(4)
    document.getElementById('main')?.append(late)
  })
  expect(await findLongLines(window)).toHaveLength(1)
})

test('the footer of a short page is at the end of the window', async () => {
  const window = await openAs('visitor', WIDE)
  await window.clock.install()
  await window.route('**/api/v1/public/faqs*', (route) => route.fulfill({ status: 500, json: {} }))
  await window.goto(`${platform.url}/faqs`)
  await waitPastRetries(window.getByText('The questions could not be loaded.'))
  const end = await window
    .getByRole('complementary', { name: 'Demo' })
    .evaluate((bar) => [bar.getBoundingClientRect().bottom, document.documentElement.scrollHeight])
  expect(end).toEqual([WIDE.height, WIDE.height])
})
