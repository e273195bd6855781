import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './environment.ts'

const OWN_DOWNLOAD_MS = 60_000
const CHROMIUM_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const HEADLESS_SHELL_PLACES = ['/usr/bin/chromium-headless-shell']

/** The paths of two builds of Chromium. */
export interface Browsers {
  readonly chromium: string
  /**
   * A headless build of Chromium without the back/forward cache. It needs less than half the CPU
   * time of the full build.
   */
  readonly headlessShell: string
}

/**
 * Returns null if Chromium is not installed. Uses the full build if only the headless build is
 * missing.
 */
export function findInstalledBrowsers(): Browsers | null {
  const requested = readPath('CHROMIUM_PATH')
  const chromium = requested ?? CHROMIUM_PLACES.find(existsSync)
  if (chromium === undefined) return null
  const installedShell =
    requested === undefined ? HEADLESS_SHELL_PLACES.find(existsSync) : undefined
  return {
    chromium,
    headlessShell: readPath('CHROMIUM_HEADLESS_SHELL_PATH') ?? installedShell ?? chromium,
  }
}

function readPath(name: string): string | undefined {
  const path = process.env[name]
  if (path === undefined || path === '') return undefined
  if (existsSync(path)) return path
  throw new Error(`${name} is ${path}, which does not exist`)
}

/** Returns the installed browsers. If no browser is installed, installs the browsers. */
export function provideBrowsers(log: (line: string) => void): Browsers {
  const installed = findInstalledBrowsers() ?? installByApt(log)
  if (installed !== null) return installed
  const downloaded = downloadByPlaywright(log)
  if (downloaded !== null) return { chromium: downloaded, headlessShell: downloaded }
  throw new Error(
    'no browser was found for the browser tests. Install one (Debian: sudo apt-get install ' +
      'chromium; macOS: Google Chrome) or set CHROMIUM_PATH to the path of a browser',
  )
}

function installByApt(log: (line: string) => void): Browsers | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null
  log('installing chromium for the browser tests (apt-get, a minute or two)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const runApt = (...args: string[]) => spawnSync('apt-get', ['-qq', ...args], { env }).status === 0
  const packages = ['chromium', 'chromium-headless-shell']
  const installPackages = () => runApt('install', '-y', '--no-install-recommends', ...packages)
  if (!installPackages() && !(runApt('update') && installPackages())) return null
  return findInstalledBrowsers()
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
