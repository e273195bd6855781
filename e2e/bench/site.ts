import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findInstalledBrowsers } from '@cairn/local/browser'
import { SCRIPT_LIMITS } from '../../web/script-limits.ts'
import { sitePages } from '../../web/src/app/public-pages.ts'
import { launchBrowser } from '../src/browser.ts'
import { createCeilingRow, createFloorRow, type Row } from './row.ts'

const run = promisify(execFile)
/**
 * npx downloads Lighthouse at the first use, because Lighthouse is larger than all dependencies of
 * Cairn.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const SCORE_FLOOR = 95
/**
 * The number of visits to each page. The median of the visits counts, because scores vary by ten
 * points on a shared machine.
 */
const VISITS = 3
/** The landing page is visited more often, and its lowest score counts. */
const LANDING_VISITS = 5
const LANDING_FLOOR = 97
const PUBLIC_PAGES = sitePages.filter(({ menu }) => menu === 'site').map(({ path }) => path)
const CHROME_FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update'

/**
 * Returns the headless build of the browser. The full browser loads pages of its own while it
 * starts, and Lighthouse would count their CPU time.
 */
function findLighthouseBrowser(): string {
  const installed = findInstalledBrowsers()
  if (installed === null) throw new Error('Chromium is not installed; `npm test` installs it')
  return installed.headlessShell
}

type Category = (typeof CATEGORIES)[number]

/**
 * Measures the lowest Lighthouse score of all public pages on a phone. Also measures the size of
 * the scripts of the landing page and of the first signed-in page.
 */
export async function measureSite(site: { url: string; token: string }): Promise<readonly Row[]> {
  const landing = await visitRepeatedly(`${site.url}/`, LANDING_VISITS)
  const scores = await findLowestScores(site.url, landing)
  const scripts = await measureScripts(site.url, { path: '/', token: null })
  const first = await measureScripts(site.url, {
    path: '/manage/investor/dashboard',
    token: site.token,
  })
  return [
    createFloorRow({
      name: `Lighthouse (phone), performance of the landing page: the lowest of ${LANDING_VISITS} visits`,
      unit: 'points',
      value: Math.min(...landing.map(({ performance }) => performance)) * 100,
      floor: LANDING_FLOOR,
    }),
    ...CATEGORIES.map((category) =>
      createFloorRow({
        name: `Lighthouse (phone), ${category}: the lowest of ${PUBLIC_PAGES.length} public pages, ${scores[category].path}`,
        unit: 'points',
        value: scores[category].points,
        floor: SCORE_FLOOR,
      }),
    ),
    createCeilingRow({
      name: 'JavaScript of the landing page over the wire, gzip',
      unit: 'kB',
      value: scripts,
      ceiling: SCRIPT_LIMITS.landing.bytesMax / 1_000,
    }),
    createCeilingRow({
      name: 'JavaScript of the first signed-in page over the wire, gzip',
      unit: 'kB',
      value: first,
      ceiling: SCRIPT_LIMITS.signedIn.bytesMax / 1_000,
    }),
  ]
}

type Scores = Record<Category, { points: number; path: string }>

/** `landing` has the visits to the landing page, which are already made. */
async function findLowestScores(
  url: string,
  landing: readonly Record<Category, number>[],
): Promise<Scores> {
  const unknown = { points: 100, path: PUBLIC_PAGES[0] ?? '/' }
  const lowest: Scores = {
    performance: unknown,
    accessibility: unknown,
    'best-practices': unknown,
    seo: unknown,
  }
  for (const path of PUBLIC_PAGES) {
    const visits = path === '/' ? landing : await visitRepeatedly(`${url}${path}`, VISITS)
    for (const category of CATEGORIES) {
      const points = computeMedian(visits.map((scores) => scores[category])) * 100
      if (points < lowest[category].points) lowest[category] = { points, path }
    }
  }
  return lowest
}

async function visitRepeatedly(page: string, times: number): Promise<Record<Category, number>[]> {
  const visits: Record<Category, number>[] = []
  while (visits.length < times) visits.push(await retryTwice(() => measureScores(page)))
  return visits
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

/** Tries up to three times, because Chromium sometimes loses the start of a trace. */
async function retryTwice<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(work).catch(work)
}

async function measureScores(page: string): Promise<Record<Category, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-lighthouse-'))
  const file = join(folder, 'report.json')
  try {
    const flags = [
      page,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=${CHROME_FLAGS}`,
      `--only-categories=${CATEGORIES.join()}`,
    ]
    await run('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', ...flags], {
      cwd: folder,
      env: { ...process.env, CHROME_PATH: findLighthouseBrowser() },
    })
    const { categories } = JSON.parse(await readFile(file, 'utf8'))
    return Object.fromEntries(
      CATEGORIES.map((category) => [category, Number(categories[category].score)]),
    ) as Record<Category, number>
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the size, in kilobytes, of the scripts that a page requests until its heading is shown.
 */
async function measureScripts(
  url: string,
  { path, token }: { path: string; token: string | null },
): Promise<number> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext()
    if (token !== null) {
      await context.addCookies([{ name: 'sid', value: token, url }])
      const user = JSON.stringify({ name: 'Bench', role: 'user', photo: 'default.png' })
      await context.addInitScript((stored) => localStorage.setItem('cairn.user', stored), user)
    }
    const page = await context.newPage()
    const scripts = new Set<string>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url())
    })
    await page.goto(`${url}${path}`)
    await page.locator('h1').first().waitFor()
    const asked = [...scripts]
    const sizes = await Promise.all(asked.map(readGzippedSize))
    return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000
  } finally {
    await browser.close()
  }
}

/** Returns the size with gzip, because the limits are defined for gzip. */
async function readGzippedSize(script: string): Promise<number> {
  const answer = await fetch(script, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
  return Number(answer.headers.get('content-length'))
}
