import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Platform, startPlatform } from './platform.ts'
import { openWatched } from './watched-window.ts'

// A file of tests that imports this has a platform and a browser of its own, and for each test a
// window that is watched.
export let platform: Platform
export let browser: Browser
export let page: Page
beforeAll(async () => {
  ;[platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  await platform.remove()
})
beforeEach(async () => {
  page = await openWatched(browser)
})

export async function go(path: string): Promise<void> {
  await page.goto(`${platform.url}${path}`)
}
