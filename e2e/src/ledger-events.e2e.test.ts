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

/** The number of parts of the ledger that one search reads. */
const PARTS_MAX = 20
const NEWEST = 5_000_000

/**
 * Answers searches of events as a large ledger does: each part ends before another event, and has
 * no matching event. The part with the given number has the newest event of the real ledger. Returns
 * a function that returns the number of the last part that was read.
 */
async function routeLargeLedger(found: number): Promise<() => number> {
  let lastPart = 0
  await page.route(/\/api\/v1\/admin\/ledger\/events\?/, async (route) => {
    const url = new URL(route.request().url())
    const part = NEWEST - Number(url.searchParams.get('before') ?? NEWEST) + 1
    lastPart = Math.max(lastPart, part)
    url.searchParams.delete('before')
    url.searchParams.delete('type')
    const response = await route.fetch({ url: url.href })
    const body = await response.json()
    const events = part === found ? body.data.events.slice(0, 1) : []
    const meta = { ...body.data.meta, next: part === found ? null : String(NEWEST - part) }
    await route.fulfill({ response, json: { ...body, data: { events, meta } } })
  })
  return () => lastPart
}

test('a search goes on while it finds nothing in the newest events', async () => {
  await routeLargeLedger(3)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/ledger?type=KeyRotationPermitted')
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)
})

test('a search that finds nothing in many events says so, and continues on request', async () => {
  const readLastPart = await routeLargeLedger(PARTS_MAX + 2)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/ledger?type=KeyRotationPermitted')
  await page.getByText(`No events found back to event ${NEWEST - PARTS_MAX}`).waitFor()
  expect(readLastPart()).toBe(PARTS_MAX)
  await page.getByRole('button', { name: 'Load older events' }).click()
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)
})
