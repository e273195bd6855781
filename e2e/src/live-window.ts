import type { BrowserContext, Page } from 'playwright-core'

declare global {
  interface Window {
    /** The events of the log that the page has heard of, from its stream and from other tabs. */
    heard: string[]
    streams: EventSource[]
  }
}

/** Lets a test see the event streams that each page of this context holds, and what they bring. */
export async function watchStreams(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.heard = []
    window.streams = []
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url)
        window.streams.push(this)
        this.addEventListener('change', ({ lastEventId }: MessageEvent<string>) => {
          window.heard.push(lastEventId)
        })
      }
    }
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name)
        if (!name.startsWith('cairn.live.')) return
        this.addEventListener('message', ({ data }: MessageEvent<{ position?: string }>) => {
          if (data.position !== undefined) window.heard.push(data.position)
        })
      }
    }
  })
}

/** Whether this page has an event stream that is open or reconnects by itself. */
export function hasStream(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    window.streams.some(({ readyState }) => readyState !== EventSource.CLOSED),
  )
}

/** The pages that have a stream. */
export async function streamingAmong(pages: readonly Page[]): Promise<readonly Page[]> {
  const found = await Promise.all(pages.map(hasStream))
  return pages.filter((_, index) => found[index])
}

export function heardBy(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.heard)
}

/** As a browser does with a tab behind others; a page under test is always in front otherwise. */
export async function setVisibility(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, 'visibilityState', { value: shown, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
