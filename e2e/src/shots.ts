import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startPlatform } from './platform.ts'
import { LOGINS, SITE_PAGES, type Visitor } from './site-pages.ts'
import { type Look, logIn, openWindow, settle } from './visit.ts'

// Takes screenshots of all pages in each width and theme, on a new platform.

const VISITORS: readonly Visitor[] = ['visitor', 'investor', 'admin']
const WIDTHS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const
const THEMES = ['light', 'dark'] as const

const folder = resolve(process.argv[2] ?? 'shots')
await mkdir(folder, { recursive: true })
const [platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void platform.remove().finally(() => process.exit(1)))
}
let taken = 0
try {
  for (const visitor of VISITORS) {
    for (const size of WIDTHS) {
      for (const theme of THEMES) {
        taken += await shootAll(browser, { visitor, look: { ...size, theme } })
      }
    }
  }
} finally {
  await browser.close()
  await platform.remove()
}
process.stdout.write(`${taken} pictures in ${folder}\n`)

async function shootAll(
  from: Browser,
  { visitor, look }: { visitor: Visitor; look: Look },
): Promise<number> {
  const page = await openWindow(from, look)
  const login = LOGINS[visitor]
  if (login !== null) await logIn(page, platform.url, login)
  for (const path of SITE_PAGES[visitor]) {
    await page.goto(`${platform.url}${path}`)
    await settle(page)
    const name = path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home'
    const file = `${visitor}-${name}-${look.width}-${look.theme}.png`
    await page.screenshot({ path: join(folder, file), fullPage: true })
  }
  await page.context().close()
  return SITE_PAGES[visitor].length
}
