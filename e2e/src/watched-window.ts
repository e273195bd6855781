import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type Look, openWindow } from './visit.ts'

const SHOWN_CHARACTERS = 2_000
const DESK = { width: 1280, height: 900, theme: 'light' } as const

/**
 * Opens a window that is closed after the current test. An error in the page's code makes the test
 * fail; the text of the page is printed if the test fails.
 */
export async function openWatched(browser: Browser, look: Look = DESK): Promise<Page> {
  const page = await openWindow(browser, look)
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printShownText(page)
    // Ignores errors of route handlers that are still waiting for a response.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
    expect(broken).toEqual([])
  })
  return page
}

async function printShownText(page: Page): Promise<void> {
  const text = await page
    .locator('main')
    .textContent({ timeout: 1_000 })
    .catch(() => '')
  process.stderr.write(`${page.url()} showed:\n${text?.slice(0, SHOWN_CHARACTERS)}\n`)
}
