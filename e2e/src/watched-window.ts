import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openWindow } from './visit.ts'

const DESK = { width: 1280, height: 900, theme: 'light' } as const

/** A window for the length of one test; whatever breaks in the page's own code fails it. */
export async function openWatched(browser: Browser): Promise<Page> {
  const page = await openWindow(browser, DESK)
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  onTestFinished(async () => {
    // An answer that a test stands in front of may still be on its way.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
    expect(broken).toEqual([])
  })
  return page
}
