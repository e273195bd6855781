import { expect, test } from 'vitest'
import { signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

test.each([390, 1_440])(
  'the replacement of the signing key names the new key in the list of events, at %i px',
  async (width) => {
    // The signing key of the shared platform is not replaced, because other tests verify its log.
    await page.route(/\/api\/v1\/admin\/ledger\/events(\?|$)/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const [newest, ...older] = body.data.events
      const handover =
        'cairn-rotation/1 5 AAAA log.example+0a1b2c3d+AQID log.example+1b2c3d4e+BAUG c2ln'
      const replaced = { ...newest, type: 'SigningKeyReplaced', data: { handovers: [handover] } }
      delete replaced.subject
      const data = { ...body.data, events: [replaced, ...older] }
      await route.fulfill({ response, json: { ...body, data } })
    })
    await page.setViewportSize({ width, height: 900 })
    await signIn(page, platform, LOGINS.admin)
    await openPath('/manage/admin/ledger')
    const main = page.getByRole('main')
    await main.getByText('log.example+1b2c3d4e').filter({ visible: true }).waitFor()
    const name = main.getByText('Signing key replaced').filter({ visible: true })
    await expect.poll(() => name.count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)
