import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, inject } from 'vitest'
import { launchBrowser } from './browser.ts'
import { attachPlatform, type TestPlatform } from './platform.ts'
import type { SharedPlatform } from './platform-pool.ts'
import { openWatched } from './watched-window.ts'

// One demo platform and one Chromium per test worker. Files that run one after another in a worker
// share both, so a test makes people of its own and puts back every setting it changes.
export let platform: TestPlatform
export let browser: Browser
/** A watched window of the current test. */
export let page: Page

let launched: Promise<Browser> | null = null
let attached: Promise<TestPlatform> | null = null

// Called at the top of a test file: modules are evaluated once per worker, hooks belong to a file.

/** The platform without a browser. */
export function usePlatform(): void {
  beforeAll(async () => {
    attached ??= attachShared()
    platform = await attached
  })
}

/** The browser without a platform. */
export function useBrowser(): void {
  beforeAll(async () => {
    launched ??= launchBrowser({ build: 'headlessShell' })
    browser = await launched
  })
}

export function useSharedSite(): void {
  usePlatform()
  useBrowser()
  beforeEach(async () => {
    page = await openWatched(browser)
  })
}

export async function go(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}${path}`)
}

async function attachShared(): Promise<TestPlatform> {
  const response = await fetch(`${inject('platformPool')}/${process.env.VITEST_POOL_ID ?? '1'}`)
  if (!response.ok) throw new Error(await response.text())
  // `platform-pool.ts` answers with this shape.
  return attachPlatform((await response.json()) as SharedPlatform)
}
