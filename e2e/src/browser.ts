import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/** The Chromium that `npm test` found or installed. Without one the test fails: it is never skipped. */
export function launchBrowser({
  debuggingPort,
  ignoreDefaultArgs = [],
}: {
  /** Where a second connection can be made, see `connectAsFound`. */
  debuggingPort?: number
  ignoreDefaultArgs?: string[]
} = {}): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH ?? KNOWN_PLACES.find(existsSync)
  return chromium.launch({
    ignoreDefaultArgs,
    ...(found === undefined ? {} : { executablePath: found }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    ],
  })
}

/**
 * The same browser without Playwright's emulation of focus, which keeps every page visible: such a
 * page cannot be frozen.
 */
export function connectAsFound(debuggingPort: number): Promise<Browser> {
  return chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`, { noDefaults: true })
}
