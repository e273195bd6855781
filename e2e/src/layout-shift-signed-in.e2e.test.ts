import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { LOOKS, openInSteps, readShifts, recordShifts, scrollToEnd } from './layout-shifts.ts'
import { chooseLooks } from './page-looks.ts'
import { openAdminApi, signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, listSitePages } from './site-pages.ts'
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

const ALL_LOOKS = Object.values(LOOKS)
const VISITS = ALL_LOOKS.flatMap((look) =>
  (['investor', 'admin'] as const).map((visitor) => ({ visitor, look, ...look })),
)

test.each(VISITS)(
  'no page of an $visitor moves while it loads and is read, at $width px, $theme',
  async ({ visitor, look }) => {
    const page = await openWindow(browser, look)
    await signIn(page, platform, LOGINS[visitor])
    await recordShifts(page)
    const found: string[] = []
    const visit = async (path: string) => {
      await openInSteps(page, `${platform.url}${path}`)
      await scrollToEnd(page)
      return readShifts(page)
    }
    for (const [place, { name, path }] of (await listSitePages(visitor, platform)).entries()) {
      if (!chooseLooks(ALL_LOOKS, place).includes(look)) continue
      if ((await visit(path)).length === 0) continue
      // The background work of the platform can add a row during one visit, so a page is visited again.
      // A fault does not show in each visit: two further ones have to be still.
      for (const shift of [...(await visit(path)), ...(await visit(path))]) {
        found.push(`${name} ${JSON.stringify(shift)}`)
      }
    }
    await page.context().close()
    expect(found).toEqual([])
  },
)
