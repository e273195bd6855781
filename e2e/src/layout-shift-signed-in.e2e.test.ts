import { expect, test } from 'vitest'
import { openInSteps, readShifts, recordShifts, SIZES, scrollToEnd } from './layout-shifts.ts'
import { signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, SITE_PAGES } from './site-pages.ts'
import { openWindow } from './visit.ts'

useSharedSite()

const VISITS = SIZES.flatMap((size) =>
  (['investor', 'admin'] as const).map((visitor) => ({ visitor, ...size })),
)

test.each(VISITS)(
  'no page of an $visitor moves while it loads and is read, at $width px',
  async ({ visitor, ...size }) => {
    const page = await openWindow(browser, { ...size, theme: 'light' })
    await signIn(page, platform, LOGINS[visitor])
    await recordShifts(page)
    const found: string[] = []
    for (const path of SITE_PAGES[visitor]) {
      await openInSteps(page, `${platform.url}${path}`)
      await scrollToEnd(page)
      for (const shift of await readShifts(page)) found.push(`${path} ${JSON.stringify(shift)}`)
    }
    await page.context().close()
    expect(found).toEqual([])
  },
)
