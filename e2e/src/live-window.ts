import type { BrowserContext, Page } from 'playwright-core'

declare global {
  interface Window {
    /**
     * The positions in the log that the page has received, from its own event stream or from tabs
     * of the same browser.
     */
    heard: string[]
    streams: EventSource[]
  }
}

/**
 * Makes each page of this context record its event streams and the positions that the page
 * receives.
 */
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

/** True if the page has an event stream that is open or will reconnect. */
export function hasStream(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    window.streams.some(({ readyState }) => readyState !== EventSource.CLOSED),
  )
}

/** Returns the pages that have an event stream. */
export async function findPagesWithStream(pages: readonly Page[]): Promise<readonly Page[]> {
  const found = await Promise.all(pages.map(hasStream))
  return pages.filter((_, index) => found[index])
}

export function readReceivedTopics(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.heard)
}

/** Makes a tab report that it is visible or hidden, because Playwright keeps all pages visible. */
export async function setVisibility(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, 'visibilityState', { value: shown, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
