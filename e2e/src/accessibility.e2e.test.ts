import { expect, test } from 'vitest'
import { sitePages } from '../../web/src/app/public-pages.ts'
import { FIRST_LOOK, testPagesOfVisitor } from './accessible-pages.ts'
import { findViolations } from './axe.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { openWindow, waitUntilLoaded } from './visit.ts'

useSharedSite()
testPagesOfVisitor('visitor')

test('public pages and their links work without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const { path } of sitePages.filter(({ prerender }) => prerender === 'readable')) {
    await page.goto(`${platform.url}${path}`)
    expect(await page.locator('h1').first().textContent(), path).not.toBe('')
  }
  await page.getByRole('link', { name: 'Login' }).first().click()
  await page.waitForURL(/users\/login$/)
  // Without scripts the form cannot be sent, so it must not accept input.
  await expect.poll(() => page.locator('#root').getAttribute('inert')).toBe('')
  await context.close()
})

test('its sabotaged twin: a field without a label is reported', async () => {
  const page = await openWindow(browser, FIRST_LOOK)
  await page.goto(`${platform.url}/users/login`)
  await waitUntilLoaded(page)
  await page.evaluate(() => {
    for (const label of document.querySelectorAll('label')) label.removeAttribute('for')
  })
  const found = await findViolations(page)
  await page.context().close()
  expect(found.join()).toContain('label')
})
