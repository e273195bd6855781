import { type Browsers, findInstalledBrowsers } from '@cairn/local/browser'
import { type Browser, chromium } from 'playwright-core'

/** Without an installed browser the test fails: it is never skipped. */
export async function launchBrowser({
  build = 'chromium',
  debuggingPort,
  ignoreDefaultArgs = [],
}: {
  build?: keyof Browsers
  /** Where a second connection can be made, see `connectAsFound`. */
  debuggingPort?: number
  ignoreDefaultArgs?: string[]
} = {}): Promise<Browser> {
  const installed = findInstalledBrowsers()
  if (installed === null) throw new Error('no Chromium is installed; npm test installs one')
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
 * The same browser without Playwright's emulation of focus, which keeps every page visible: such a
 * page cannot be frozen.
 */
export function connectAsFound(debuggingPort: number): Promise<Browser> {
  return chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`, { noDefaults: true })
}
