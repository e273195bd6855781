import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const PLANS = '**/api/v1/plans'

test('the pictures of the steps are the same without scripts, and say that they are samples', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  for (const on of [page, await context.newPage()]) {
    await on.goto(platform.url)
    const section = on.getByRole('region', { name: 'How to get started' })
    await section.getByText('The pictures show sample data.').waitFor()
    const picture = section.locator('[aria-hidden] p').filter({ hasText: 'You pay $1,000.00.' })
    await expect
      .poll(() => picture.textContent())
      .toBe('You pay $1,000.00. By the last day, $1,050.00 is due to you in total.')
  }
  await context.close()
})

describe('a script that cannot be loaded', () => {
  const RECEIPT = '**/assets/sample-check-*.js'
  const findTitle = () => page.getByRole('heading', { level: 1, name: 'See the record' })
  const chooseSample = () =>
    page.locator('#check').getByText('Sample receipt', { exact: true }).click()

  const findFailure = () =>
    page
      .locator('#check')
      .getByRole('alert')
      .filter({ hasText: 'The sample receipt could not be loaded.' })
  const retry = (alert: Locator) => alert.getByRole('button', { name: 'Retry' }).click()

  test('without a connection is reported in its place, and loads when the connection is back', async () => {
    await openPath('/#check')
    await waitUntilLoaded(page)
    const documents: string[] = []
    page.on('framenavigated', (frame) => documents.push(frame.url()))
    await page.context().setOffline(true)
    await chooseSample()
    await findFailure().waitFor()
    const repeated = page.waitForEvent('requestfailed', (request) =>
      /assets\/sample-check-/.test(request.url()),
    )
    await retry(findFailure())
    await repeated
    await findFailure().waitFor()
    await expect.poll(() => findTitle().isVisible()).toBe(true)

    await page.context().setOffline(false)
    await retry(findFailure())
    await page.getByText(/This record is one of the first/).waitFor()
    // The page and the choice of the visitor stayed.
    expect(documents).toEqual([])
  })

  test('that is still missing with a connection loads with the whole page', async () => {
    await page.route(RECEIPT, (route) => route.abort())
    await openPath('/#check')
    await waitUntilLoaded(page)
    await chooseSample()
    const loaded = page.waitForEvent('load')
    await retry(findFailure())
    await loaded
    await page.unroute(RECEIPT)
    await waitUntilLoaded(page)
    await chooseSample()
    await page.getByText(/This record is one of the first/).waitFor()
  })

  test('of the example plans is reported in their place, and loads again', async () => {
    const EXAMPLES = '**/assets/example-plans-*.js'
    await page.route(EXAMPLES, (route) => route.abort())
    await page.route(PLANS, (route) =>
      route.fulfill({ json: { status: 'success', data: { plans: [] } } }),
    )
    await openPath('/')
    const alert = page.getByRole('alert').filter({ hasText: 'The examples could not be loaded.' })
    await alert.waitFor()
    await page.getByText('No plans are on offer at the moment').waitFor()
    await expect.poll(() => findTitle().isVisible()).toBe(true)
    await page.unroute(EXAMPLES)
    await retry(alert)
    await page.getByText('Example plan, not on offer').first().waitFor()
    expect(await alert.count()).toBe(0)
  })

  test('of an explanation is reported beside its term', async () => {
    await page.route('**/assets/term-popover-*.js', (route) => route.abort())
    await openPath('/')
    await waitUntilLoaded(page)
    await page.getByRole('button', { name: 'What does “coverage” mean?' }).first().click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'The explanation could not be loaded.' })
      .waitFor()
    await expect.poll(() => findTitle().isVisible()).toBe(true)
  })
})

test('the landing page says in two lines what it offers and what the risk is', async () => {
  await page.setViewportSize({ width: 1_440, height: 900 })
  await openPath('/')
  await waitUntilLoaded(page)
  const text = page.getByText(/^Fixed-term plans .+ You can lose all the money you invest\.$/)
  const lines = await text.evaluate(
    (it) => it.clientHeight / Number.parseFloat(getComputedStyle(it).lineHeight),
  )
  expect(lines).toBe(2)
})

/** The bands whose height depends on the number of claims, plans and entries. */
const LISTS = ['Why invest with us', 'Investment plans', 'Testimonials']

/** Returns the height of each other band by its first heading. */
async function measureBands(): Promise<Readonly<Record<string, number>>> {
  const bands = await page
    .locator('main > *')
    .evaluateAll((all) =>
      all.map((band) => [
        band.querySelector('h1, h2')?.textContent ?? '',
        Math.round(band.getBoundingClientRect().height),
      ]),
    )
  return Object.fromEntries(bands.filter(([title]) => !LISTS.includes(String(title))))
}

test.each([390, 1_440])(
  'no band changes its height between the server and the loaded page, at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto(platform.url, { waitUntil: 'commit' })
    await page.locator('#root[data-drawn] + noscript').waitFor({ state: 'attached' })
    // Before the first font is requested, the status is also `loaded`.
    await page.waitForFunction(
      () =>
        document.fonts.status === 'loaded' &&
        [...document.fonts].some(({ status }) => status === 'loaded'),
    )
    const drawn = await measureBands()
    expect(Object.keys(drawn)).toHaveLength(5)
    scripts.resolve()
    await waitUntilLoaded(page)
    await page.getByRole('heading', { name: 'Testimonials' }).waitFor()
    expect(await measureBands()).toEqual(drawn)
  },
)
