import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { authPages, sitePages } from '../../web/src/app/public-pages.ts'
import { LOOKS, readShifts, recordShifts, scrollToEnd } from './layout-shifts.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { openWindow, waitUntilLoaded } from './visit.ts'

useSharedSite()

const PATHS = [...sitePages, ...authPages].map(({ path }) => path)

/**
 * Opens the page, and answers the requests of the page only after the browser has painted the page
 * without the answers.
 */
async function openWithDelayedAnswers(page: Page, path: string): Promise<void> {
  const painted = Promise.withResolvers<void>()
  await page.route('**/api/v1/**', async (route) => {
    await painted.promise
    await route.continue()
  })
  await page.goto(`${platform.url}${path}`)
  await page.waitForFunction(() => document.querySelector('#root[data-drawn]') === null)
  await page.locator('h1').first().waitFor()
  await readShifts(page)
  painted.resolve()
  // The settings load last. After they have loaded, the page shows the demo bar and the sample data
  // of the demo.
  await page.getByRole('complementary', { name: 'Demo' }).waitFor()
  await waitUntilLoaded(page)
  await page.unroute('**/api/v1/**')
}

test.each(Object.values(LOOKS))(
  'no public page moves while it loads and is read, at $width px, $theme',
  async (look) => {
    const page = await openWindow(browser, look)
    await recordShifts(page)
    const found: string[] = []
    for (const path of PATHS) {
      await openWithDelayedAnswers(page, path)
      await scrollToEnd(page)
      for (const shift of await readShifts(page)) found.push(`${path} ${JSON.stringify(shift)}`)
    }
    await page.context().close()
    expect(found).toEqual([])
  },
)

/** The height of a window that is higher than the questions with the sections before them. */
const HIGH = { width: 1_920, height: 1_400, theme: 'light' } as const

test('the page of questions moves nothing in a high window, and leaves no gap', async () => {
  const page = await openWindow(browser, HIGH)
  await recordShifts(page)
  await openWithDelayedAnswers(page, '/faqs')
  expect(await readShifts(page)).toEqual([])
  const questions = await page.getByRole('definition').last().boundingBox()
  const next = await page.getByRole('heading', { name: 'Open a free account' }).boundingBox()
  if (questions === null || next === null) throw new Error('the page shows no questions')
  expect(next.y).toBeLessThan(HIGH.height)
  expect(next.y - questions.y - questions.height).toBeLessThan(160)
  await page.context().close()
})

test('settings that load last move nothing on a page that is lower than the window', async () => {
  const page = await openWindow(browser, HIGH)
  await recordShifts(page)
  const answered = Promise.withResolvers<void>()
  await page.route('**/public/settings', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.goto(`${platform.url}/faqs`)
  await page.getByRole('definition').last().waitFor()
  await readShifts(page)
  answered.resolve()
  await page.getByRole('complementary', { name: 'Demo' }).waitFor()
  expect(await readShifts(page)).toEqual([])
  await page.context().close()
})

test('its sabotaged twin: a following section that is visible too early moves', async () => {
  const page = await openWindow(browser, HIGH)
  await recordShifts(page)
  await page.addInitScript(() => {
    const style = document.createElement('style')
    style.textContent = '#root * { visibility: visible !important }'
    document.addEventListener('DOMContentLoaded', () => document.head.append(style))
  })
  await openWithDelayedAnswers(page, '/faqs')
  expect((await readShifts(page)).length).toBeGreaterThan(0)
  await page.context().close()
})

test('a sabotaged twin: content that pushes the page down is reported', async () => {
  const page = await openWindow(browser, LOOKS.desk)
  await recordShifts(page)
  await openWithDelayedAnswers(page, '/faqs')
  expect(await readShifts(page)).toEqual([])
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.style.height = '60px'
    document.getElementById('main')?.prepend(late)
  })
  await expect.poll(async () => (await readShifts(page)).length).toBeGreaterThan(0)
  await page.context().close()
})
