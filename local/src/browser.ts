import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './environment.ts'

const OWN_DOWNLOAD_MS = 60_000
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A Chromium for the browser tests: the one asked for, an installed one, or one installed now. */
export function findBrowser(log: (line: string) => void): string {
  const wished = process.env.CHROMIUM_PATH
  if (wished !== undefined && wished !== '') {
    if (existsSync(wished)) return wished
    throw new Error(`CHROMIUM_PATH names ${wished}, which does not exist`)
  }
  const installed = PLACES.find((path) => existsSync(path))
  const found = installed ?? installByApt(log) ?? downloadByPlaywright(log)
  if (found !== null) return found
  throw new Error(
    'no browser was found for the browser tests. Install one (Debian: sudo apt-get install ' +
      'chromium; macOS: Google Chrome) or set CHROMIUM_PATH to one',
  )
}

function installByApt(log: (line: string) => void): string | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null
  log('installing chromium for the browser tests (apt-get, a minute or two)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => spawnSync('apt-get', ['-qq', ...args], { env }).status === 0
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!install() && !(apt('update') && install())) return null
  return PLACES.find((path) => existsSync(path)) ?? null
}

function downloadByPlaywright(log: (line: string) => void): string | null {
  log('asking Playwright for its own Chromium (a minute at most)')
  const program = join(ROOT, 'node_modules', '.bin', 'playwright-core')
  const result = spawnSync(program, ['install', 'chromium'], { timeout: OWN_DOWNLOAD_MS })
  if (result.status !== 0) return null
  const { chromium } = createRequire(join(ROOT, 'e2e', 'package.json'))('playwright-core')
  const path = chromium.executablePath()
  return existsSync(path) ? path : null
}
