import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/** The Chromium that `npm test` found or installed. Without one the test fails: it is never skipped. */
export function launchBrowser(): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH ?? KNOWN_PLACES.find(existsSync)
  return chromium.launch({
    ...(found === undefined ? {} : { executablePath: found }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
