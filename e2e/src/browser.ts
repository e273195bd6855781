import { type Browsers, findInstalledBrowsers } from '@cairn/local/browser'
import { type Browser, chromium } from 'playwright-core'

/**
 * Launches a browser. Throws if no browser is installed, so that tests fail and are not skipped.
 */
export async function launchBrowser({
  build = 'chromium',
  debuggingPort,
  ignoreDefaultArgs = [],
}: {
  build?: keyof Browsers
  /** The port for a second connection with `connectWithoutFocusEmulation`. */
  debuggingPort?: number
  ignoreDefaultArgs?: string[]
} = {}): Promise<Browser> {
  const installed = findInstalledBrowsers()
  if (installed === null) throw new Error('Chromium is not installed; `npm test` installs it')
  return chromium.launch({
    ignoreDefaultArgs,
    executablePath: installed[build],
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
 * Connects to a running browser without Playwright's focus emulation, which makes all pages
 * visible. Chromium freezes only hidden pages.
 */
export function connectWithoutFocusEmulation(debuggingPort: number): Promise<Browser> {
  return chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`, { noDefaults: true })
}
