import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { openInSteps, readShifts, recordShifts, SIZES, scrollToEnd } from './layout-shifts.ts'
import { openAdminApi, signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, SITE_PAGES } from './site-pages.ts'
import { openWindow } from './visit.ts'

useSharedSite()

// The page of checkpoints has a row for each verification.
beforeAll(async () => {
  const admin = await openAdminApi(platform)
  await admin.send('POST', 'admin/ledger/verifications', { since: '0' })
  const readNewest = async () =>
    (await admin.get('admin/ledger/verifications')).body.data.verifications[0]
  while ((await readNewest()).state !== 'agrees') await delay(200)
})

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
