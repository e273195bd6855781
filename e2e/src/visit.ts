import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/**
 * The time that a test waits before it fails. It is longer than the slowest answer on a busy
 * machine. No test uses this time as a performance limit.
 */
export const PATIENCE_MS = 120_000

export type Look = { width: number; height: number; theme: 'light' | 'dark' }

/** Opens a window in its own browser context, without animations. */
export async function openWindow(browser: Browser, look: Look): Promise<Page> {
  const { width, height, theme } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}

export async function logIn(
  page: Page,
  url: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/users/login`)
  await fillLogin(page, { email, password })
  await page.waitForURL(/\/manage\//)
}

export async function fillLogin(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Tells, in the page, whether no placeholder is visible. A failed part keeps its placeholders hidden. */
export function showsNoPlaceholder(): boolean {
  return [...document.querySelectorAll('.animate-pulse-soft')].every(
    (each) => !each.checkVisibility({ visibilityProperty: true }),
  )
}

/** Waits until the page is hydrated and shows no placeholders for loading content. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#root[data-drawn]') === null)
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(showsNoPlaceholder)
  await page.evaluate(() => document.fonts.ready.then(() => null))
}

/**
 * Returns the set of the requests that have no answer yet, without the event streams, which stay
 * open.
 */
export function watchRequests(source: Page | BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>()
  const handleEnd = (request: Request) => void open.delete(request)
  const handleStart = (request: Request) => {
    if (request.resourceType() !== 'eventsource') open.add(request)
  }
  // The cast is safe because both types have these events.
  const emitter = source as Page
  emitter.on('request', handleStart)
  emitter.on('requestfinished', handleEnd)
  emitter.on('requestfailed', handleEnd)
  return open
}

/**
 * Waits for content that appears only after failed reads are repeated. Moves the clock of the page
 * forward, so the test must have installed Playwright's clock.
 */
export async function waitPastRetries(shown: Locator): Promise<void> {
  const isShown = async () => {
    await shown.page().clock.fastForward(1_000)
    return shown.isVisible()
  }
  await expect.poll(isShown).toBe(true)
}
