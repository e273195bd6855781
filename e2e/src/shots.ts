import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page, Request, Route } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startPlatform } from './platform.ts'
import { LOGINS, listSitePages, type Visitor } from './site-pages.ts'
import {
  type Look,
  logIn,
  openWindow,
  showsNoPlaceholder,
  waitUntilLoaded,
  watchRequests,
} from './visit.ts'

// Takes screenshots of all pages in each width, theme and state, on a new platform.

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1_024, 1440: 900, 1920: 1_080 }
const CHOICES = {
  visitors: ['visitor', 'investor', 'admin'],
  widths: Object.keys(HEIGHTS),
  themes: ['light', 'dark'],
  states: ['loaded', 'empty', 'loading', 'failed'],
} as const
type Theme = (typeof CHOICES.themes)[number]
type State = (typeof CHOICES.states)[number]

const READS = '**/api/v1/**'
/**
 * Requests whose answers are not replaced, because a signed-in page sends no other requests before
 * their answers arrive.
 */
const FRAME = /public\/settings|users\/me(\/session)?$|v1\/events\?|csrf|login/
/** The request that credits the due profit also reads the running investments. */
const READING_CHANGE = /v1\/investments\/mine$/
/**
 * The time, in milliseconds, for which a loading page shows its placeholders before the screenshot
 * is taken.
 */
const LOADING_MS = 500
/**
 * The time, in milliseconds, after which the screenshot of a page without data is taken, even if
 * the page still shows a placeholder. A failed read is repeated for three seconds, and some reads
 * start only after a first read has ended.
 */
const SETTLED_MS = 20_000
/**
 * The time, in milliseconds, without an open request after which a page is complete. Some requests
 * follow the answer of another.
 */
const QUIET_MS = 300

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    visitors: { type: 'string' },
    widths: { type: 'string' },
    themes: { type: 'string' },
    states: { type: 'string' },
  },
})

/**
 * Returns the values of an option, such as `--widths 390,1440`; all possible values if the option
 * is missing.
 */
function choose<Name extends keyof typeof CHOICES>(name: Name): readonly string[] {
  const given = values[name]?.split(',') ?? CHOICES[name]
  const known: readonly string[] = CHOICES[name]
  const unknown = given.filter((choice) => !known.includes(choice))
  if (unknown.length > 0) {
    throw new Error(`--${name}: ${unknown.join(', ')} is not one of ${known.join(', ')}`)
  }
  return given
}

// The casts are safe because `choose` returns only known choices.
const visitors = choose('visitors') as readonly Visitor[]
const widths = choose('widths').map(Number)
const themes = choose('themes') as readonly Theme[]
const states = choose('states') as readonly State[]
const folder = resolve(positionals[0] ?? 'shots')
await mkdir(folder, { recursive: true })
const [platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void platform.remove().finally(() => process.exit(1)))
}
let taken = 0
try {
  for (const visitor of visitors) {
    for (const width of widths) {
      for (const theme of themes) {
        const look = { width, height: HEIGHTS[width] ?? 0, theme }
        taken += await takeAllScreenshots(browser, { visitor, look })
      }
    }
  }
} finally {
  await browser.close()
  await platform.remove()
}
process.stdout.write(`${taken} pictures in ${folder}\n`)

async function takeAllScreenshots(
  from: Browser,
  { visitor, look }: { visitor: Visitor; look: Look },
): Promise<number> {
  const page = await openWindow(from, look)
  const open = watchRequests(page)
  const login = LOGINS[visitor]
  if (login !== null) await logIn(page, platform.url, login)
  const pages = await listSitePages(visitor, platform)
  let count = 0
  for (const state of states) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (state !== 'loaded') await page.route(READS, (route) => answerAs(state, route))
    for (const { name, path } of pages) {
      await takeScreenshot(page, {
        path,
        state,
        open,
        name: `${visitor}-${getScreenshotName(name)}-${look.width}-${look.theme}`,
      })
      count += 1
    }
  }
  await page.context().close()
  return count
}

function getScreenshotName(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home'
}

async function takeScreenshot(
  page: Page,
  {
    path,
    state,
    open,
    name,
  }: { path: string; state: State; open: ReadonlySet<Request>; name: string },
): Promise<void> {
  await page.goto(`${platform.url}${path}`)
  if (state === 'loaded') await waitUntilLoaded(page)
  else await waitForState(page, state)
  if (state !== 'loading') await waitUntilQuiet(page, open)
  const file = state === 'loaded' ? name : `${name}-${state}`
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
}

async function waitUntilQuiet(page: Page, open: ReadonlySet<Request>): Promise<void> {
  const deadline = Date.now() + SETTLED_MS
  let quietSince = Date.now()
  while (Date.now() - quietSince < QUIET_MS && Date.now() < deadline) {
    await page.waitForTimeout(50)
    if (open.size > 0) quietSince = Date.now()
  }
  await page.evaluate(() => document.fonts.ready.then(() => null))
}

/**
 * Waits until a page without data shows its final content or its errors. In the state `loading`,
 * waits until the page shows its placeholders.
 */
async function waitForState(page: Page, state: Exclude<State, 'loaded'>): Promise<void> {
  await page.locator('h1').first().waitFor()
  if (state === 'loading') return page.waitForTimeout(LOADING_MS)
  await page.waitForFunction(showsNoPlaceholder, null, { timeout: SETTLED_MS }).catch(() => {})
}

/**
 * Answers a read as the state requires: with a failure, with an empty list, or, in the state
 * `loading`, not at all.
 */
async function answerAs(state: Exclude<State, 'loaded'>, route: Route): Promise<void> {
  const request = route.request()
  const isRead = request.method() === 'GET' || READING_CHANGE.test(request.url())
  if (!isRead || FRAME.test(request.url())) return route.continue()
  if (state === 'loading') return
  if (state === 'failed') {
    const body = { status: 'error', message: 'Something went wrong', code: 'INTERNAL' }
    return route.fulfill({ status: 500, json: body })
  }
  try {
    const response = await route.fetch()
    await route.fulfill({ response, json: removeItems(await response.json()) })
  } catch {
    // The error is ignored, because the page has navigated or the answer is not JSON.
    await route.abort().catch(() => {})
  }
}

/** Returns a copy without list entries and with zero for each number. */
function removeItems(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value === 'number') return 0
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, removeItems(each)]))
}
