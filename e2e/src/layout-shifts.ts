import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { waitUntilLoaded } from './visit.ts'

/**
 * The widths in which each page is measured. One of them has the dark theme, because a theme has the
 * same layout in all widths.
 */
export const LOOKS = {
  phone: { width: 390, height: 844, theme: 'light' },
  tablet: { width: 768, height: 1_024, theme: 'dark' },
  desk: { width: 1_440, height: 900, theme: 'light' },
} as const

/** A shift of the layout: its score, and the elements that moved, with their old and new places. */
type Shift = { value: number; moved: readonly string[] }

/** Records each shift of the layout from the start of every document in the window. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      value: number
      sources: ReadonlyArray<{
        node: Node | null
        previousRect: DOMRectReadOnly
        currentRect: DOMRectReadOnly
      }>
    }
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    const formatPlace = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ')
    const record = (list: PerformanceObserverEntryList) => {
      // The cast is safe because the observer receives only entries of this type.
      for (const { value, sources } of list.getEntries() as Entry[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const text = node?.textContent?.slice(0, 40) ?? ''
          return `${text} (${formatPlace(previousRect)} -> ${formatPlace(currentRect)})`
        })
        shifts.push({ value, moved })
      }
    }
    new PerformanceObserver(record).observe({ type: 'layout-shift', buffered: true })
  })
}

/**
 * Returns the recorded shifts after two more frames, in which the browser reports the last shifts.
 */
export async function readShifts(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
    return (window as unknown as { shifts: Shift[] }).shifts
  })
}

export async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const step = window.innerHeight / 2
    for (let y = 0; y < document.documentElement.scrollHeight; y += step) {
      window.scrollTo(0, y)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }
  })
}

const READS = '**/api/v1/**'
/** The stream of events never ends, so a page does not wait for it. */
const STREAM = /\/api\/v1\/events\?/
/**
 * Requests that the layout of a page sends. A signed-in page sends most other requests after the
 * answers to these requests.
 */
const FRAME = /public\/settings|users\/me$|users\/me\/preferences|csrf/

/**
 * Opens a signed-in page in three steps: without any answer, with the answers for the layout, and
 * with all answers. After each step, lets the browser paint.
 */
export async function openInSteps(page: Page, url: string): Promise<void> {
  const frame = Promise.withResolvers<void>()
  const content = Promise.withResolvers<void>()
  const open = new Set<Request>()
  const close = (request: Request) => void open.delete(request)
  page.on('requestfinished', close)
  page.on('requestfailed', close)
  await page.route(READS, async (route) => {
    const request = route.request()
    if (STREAM.test(request.url())) return route.continue()
    open.add(request)
    await (FRAME.test(request.url()) ? frame.promise : content.promise)
    // The request no longer exists if the page has navigated.
    await route.continue().catch(() => close(request))
  })
  await page.goto(url)
  await page.locator('main :is(h1, .animate-pulse-soft)').first().waitFor()
  await readShifts(page)
  frame.resolve()
  await expect.poll(() => [...open].some((request) => FRAME.test(request.url()))).toBe(false)
  await readShifts(page)
  content.resolve()
  await waitUntilLoaded(page)
  await expect.poll(() => open.size).toBe(0)
  await waitUntilLoaded(page)
  await page.unroute(READS)
  page.off('requestfinished', close)
  page.off('requestfailed', close)
}
