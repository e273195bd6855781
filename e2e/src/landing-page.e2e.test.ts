import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { waitPastRetries, waitUntilLoaded } from './visit.ts'

useSharedSite()

const PLANS = '**/api/v1/plans'

describe('the picture of the step "Choose a plan"', () => {
  const findPicture = (on: Page) =>
    on
      .getByRole('listitem')
      .filter({ has: on.getByRole('heading', { name: 'Choose a plan' }) })
      .locator('[aria-hidden]')
      .first()
  const EXPLAINS = 'You pay $1,000.00. The amount due to you and its date appear here.'

  test('states the amount and the date of a plan on offer', async () => {
    await openPath('/')
    await waitUntilLoaded(page)
    const shown = await findPicture(page).textContent()
    expect(shown).toMatch(/: you pay \$1,000\.00\. By .+, \$[\d,.]+ is due to you in total\.Confirm/)
  })

  test('says what the confirmation states without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const silent = await context.newPage()
    await silent.goto(platform.url)
    const text = findPicture(silent).getByText(EXPLAINS)
    expect(await text.isVisible()).toBe(true)
    await context.close()
  })

  test('says it while the plans load and after a failure', async () => {
    await page.clock.install()
    const answer = Promise.withResolvers<void>()
    await page.route(PLANS, async (route) => {
      await answer.promise
      await route.fulfill({ status: 500, json: { status: 'error', message: 'Unavailable' } })
    })
    await openPath('/')
    await page.waitForFunction(() => document.querySelector('#root[data-drawn]') === null)
    const text = findPicture(page).getByText(EXPLAINS)
    await text.waitFor()
    answer.resolve()
    await waitPastRetries(page.getByText('The plans could not be loaded.'))
    expect(await text.isVisible()).toBe(true)
  })
})
