import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, inject } from 'vitest'
import { launchBrowser } from './browser.ts'
import { createPlatformHandle, type TestPlatform } from './platform.ts'
import type { SharedPlatform } from './platform-pool.ts'
import { openWatched } from './watched-window.ts'

// Test files that run one after another in a worker share one demo platform and one Chromium. Each
// test must create its own people and restore every setting that it changes.
export let platform: TestPlatform
export let browser: Browser
/** The window of the current test. An error in the page's code makes the test fail. */
export let page: Page

let launched: Promise<Browser> | null = null
let shared: Promise<TestPlatform> | null = null

// Each test file must call one of these functions at its top, because each file needs its own
// hooks. The module itself cannot set the hooks, because it is evaluated only once per worker.

/** Provides the shared platform without a browser. */
export function usePlatform(): void {
  beforeAll(async () => {
    shared ??= findSharedPlatform()
    platform = await shared
  })
}

/** Provides the shared browser without a platform. */
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

export async function openPath(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}${path}`)
}

async function findSharedPlatform(): Promise<TestPlatform> {
  const response = await fetch(`${inject('platformPool')}/${process.env.VITEST_POOL_ID ?? '1'}`)
  if (!response.ok) throw new Error(await response.text())
  // The cast is safe because `platform-pool.ts` sends a value of this type.
  return createPlatformHandle((await response.json()) as SharedPlatform)
}
