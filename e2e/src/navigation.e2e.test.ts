import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const readScroll = () => page.evaluate(() => window.scrollY)
/** Waits until the page has been drawn twice, so that observers of sizes have run. */
const waitForFrames = () =>
  page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )

test('a page opens at its top with the focus on its content, and Back restores the scroll position', async () => {
  await openPath('/about_us')
  await waitUntilLoaded(page)
  await page.evaluate(() => window.scrollTo(0, 600))
  // The event is dispatched directly, because a click by Playwright would first scroll the page.
  const menu = page.getByRole('banner').getByRole('navigation', { name: 'Site' })
  await menu.getByRole('link', { name: 'FAQs' }).dispatchEvent('click')
  await page.waitForURL(/\/faqs$/)
  // The address changes before the page does.
  await page.getByRole('heading', { level: 1, name: 'FAQs' }).waitFor()
  await waitUntilLoaded(page)
  await expect.poll(readScroll).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await expect.poll(() => page.title()).toBe('FAQs · Cairn')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'About us' }).waitFor()
  await expect.poll(readScroll).toBe(600)
})

test('a reload keeps the scroll position, and an address typed in the same tab opens at the top', async () => {
  await openPath('/about_us')
  await waitUntilLoaded(page)
  await page.evaluate(() => window.scrollTo(0, 600))
  await page.reload()
  await waitUntilLoaded(page)
  await expect.poll(readScroll).toBe(600)
  await openPath('/faqs')
  await waitUntilLoaded(page)
  expect(await readScroll()).toBe(0)
})

test.each([
  ['What the ledger proves', '2. What the ledger proves'],
  ['Fees and limits', '3. Fees and limits'],
  ['What we don’t claim', 'What we don’t claim'],
])('the footer leads to the part "%s" of its page', async (link, title) => {
  await openPath('/faqs')
  await waitUntilLoaded(page)
  await page.getByRole('contentinfo').getByRole('link', { name: link }).click()
  const heading = page.getByRole('heading', { name: title, exact: true })
  await heading.waitFor()
  await waitUntilLoaded(page)
  const readTop = () => heading.evaluate((it) => it.getBoundingClientRect().top)
  await expect.poll(readTop).toBeLessThan(page.viewportSize()?.height ?? 0)
  expect(await readTop()).toBeGreaterThanOrEqual(0)
})

test('a part of a page stays in view while content above it loads, until the person acts', async () => {
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/v1/public/claims', async (route) => {
    await answer.promise
    await route.continue()
  })
  await openPath('/#not-claimed')
  const part = page.locator('#not-claimed')
  const readTop = () => part.evaluate((it) => Math.round(it.getBoundingClientRect().top))
  const headerHeight = await page.evaluate(() =>
    Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
  )
  await expect.poll(readTop).toBe(headerHeight)
  const placeholder = await page.evaluate(() => document.body.offsetHeight)
  answer.resolve()
  await page.getByRole('heading', { name: 'What we don’t claim', exact: true }).waitFor()
  await waitUntilLoaded(page)
  await expect.poll(() => page.evaluate(() => document.body.offsetHeight)).not.toBe(placeholder)
  await expect.poll(readTop).toBe(headerHeight)
  await page.keyboard.press('Shift')
  await page.evaluate(() => {
    window.scrollTo(0, 0)
    document.body.style.setProperty('padding-bottom', '500px')
  })
  await waitForFrames()
  expect(await readScroll()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
})

test('a visitor who is sent from any path below /manage to the login can go back', async () => {
  await page.context().clearCookies()
  await openPath('/')
  await page.evaluate(() => localStorage.removeItem('cairn.user'))
  await openPath('/faqs')
  for (const path of ['/manage', '/manage/no/such/page', '/manage/admin/users?page=2']) {
    await openPath(path)
    await page.getByText('You must login first').waitFor()
    expect(new URL(page.url()).searchParams.get('redirectTo')).toBe(path)
  }
})

test('an unknown path below /manage is not found, and a path of an earlier version is redirected', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/no-such-page')
  await page.getByText('Sorry, the page you were looking for was not found.').waitFor()
  await openPath('/manage/investor/statements')
  await page.waitForURL(/\/manage\/investor\/settings\?tab=statements$/)
})

test('a page whose script cannot be loaded shows an error, opens another page and loads again', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  await page.route('**/assets/my-page-*.js', (route) => route.abort())
  const menu = page.getByRole('navigation', { name: 'Your account' })
  await menu.getByRole('link', { name: 'Referrals' }).click()
  await page.getByText('A part of this page could not be loaded.').waitFor()
  await page.unroute('**/assets/my-page-*.js')
  await menu.getByRole('link', { name: 'Transactions' }).click()
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()

  await page.route('**/assets/my-page-*.js', (route) => route.abort())
  await menu.getByRole('link', { name: 'Referrals' }).click()
  const loadAgain = page.getByRole('button', { name: 'Load again' })
  await loadAgain.waitFor()
  await page.unroute('**/assets/my-page-*.js')
  await loadAgain.click()
  await page.getByRole('heading', { level: 1, name: 'Referrals' }).waitFor()
})

test('menus and messages load when a person first acts, and the page stays if they cannot load', async () => {
  const refused = new Set<string>()
  // The hash after the name can also contain letters and hyphens.
  const parts = /assets\/(account-menu-content|notification-menu-content|toaster|session-watch)-/
  await page.route(parts, (route) => {
    refused.add(parts.exec(route.request().url())?.[1] ?? '')
    return route.abort()
  })
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  await expect.poll(() => [...refused]).toEqual(['session-watch'])
  await page.getByRole('button', { name: 'Notifications' }).hover()
  await page.getByRole('button', { name: 'Account of' }).hover()
  await expect.poll(() => refused.size).toBe(4)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('Hello')
  expect(await page.getByText('Something went wrong').count()).toBe(0)
})

test('the page behind the open menu of a phone takes no focus, and a wider screen closes the menu', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const open = page.getByRole('button', { name: 'Open the menu' })
  const isInside = () => page.evaluate(() => document.activeElement?.closest('#sidebar') !== null)
  await open.press('Enter')
  await expect.poll(isInside).toBe(true)
  const isInert = () => page.locator('main').evaluate((main) => main.closest('[inert]') !== null)
  expect(await isInert()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => open.evaluate((node) => node === document.activeElement)).toBe(true)

  await open.press('Enter')
  await expect.poll(isInside).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(isInert).toBe(false)
  const menu = page.getByRole('navigation', { name: 'Your account' })
  await page.setViewportSize({ width: 390, height: 844 })
  await menu.getByRole('link', { name: 'Referrals' }).click()
  await page.getByRole('heading', { level: 1, name: 'Referrals' }).waitFor()
  await menu.waitFor({ state: 'hidden' })
})

test('the menu of the site offers the login only to a person who is not logged in', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('banner').getByRole('navigation', { name: 'Site' })
  const openMenu = async () => {
    await openPath('/')
    await page.getByRole('banner').getByLabel('Menu', { exact: true }).click()
    await menu.getByRole('link', { name: 'FAQs' }).waitFor()
  }
  await openMenu()
  await expect.poll(() => menu.getByRole('link', { name: 'Login' }).count()).toBe(1)
  await signIn(page, platform, LOGINS.investor)
  await openMenu()
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).waitFor()
  expect(await menu.getByRole('link', { name: 'Login' }).count()).toBe(0)
})

const measureTop = (of: Locator) => of.evaluate((it) => it.getBoundingClientRect().top)

test('the menu of the site opens without scripts, by pointer and by keyboard', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  onTestFinished(() => context.close())
  const silent = await context.newPage()
  await openPath('/', silent)
  const banner = silent.getByRole('banner')
  const links = banner.getByRole('navigation', { name: 'Site' }).getByRole('link')
  const content = silent.getByRole('main')
  const before = await content.boundingBox()
  expect(await links.count()).toBe(0)
  const button = banner.getByLabel('Menu', { exact: true })
  await button.click()
  await expect.poll(() => links.filter({ hasText: 'FAQs' }).isVisible()).toBe(true)
  expect(await content.boundingBox()).toEqual(before)
  await button.press('Enter')
  await expect.poll(() => links.count()).toBe(0)
  await button.press('Space')
  await silent.keyboard.press('Tab')
  await expect.poll(() => links.first().evaluate((it) => it.matches(':focus'))).toBe(true)
  await links.filter({ hasText: 'FAQs' }).click()
  await silent.waitForURL(/\/faqs$/)
  expect(await links.count()).toBe(0)
})

test('a menu of the site that is opened before the scripts have loaded stays open, until a page opens', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(platform.url, { waitUntil: 'commit' })
  await page.getByRole('banner').getByLabel('Menu', { exact: true }).click()
  const menu = page.getByRole('banner').getByRole('navigation', { name: 'Site' })
  const faqs = menu.getByRole('link', { name: 'FAQs' })
  await faqs.waitFor()
  const before = await measureTop(page.getByRole('main'))
  scripts.resolve()
  await waitUntilLoaded(page)
  expect(await faqs.isVisible()).toBe(true)
  expect(await measureTop(page.getByRole('main'))).toBe(before)
  await faqs.click()
  await page.waitForURL(/\/faqs$/)
  await menu.waitFor({ state: 'hidden' })
})

test('the menu of the site closes by Escape, outside, when the focus leaves, and by each of its links', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPath('/faqs')
  await waitUntilLoaded(page)
  const banner = page.getByRole('banner')
  const button = banner.getByLabel('Menu', { exact: true })
  const menu = banner.getByRole('navigation', { name: 'Site' })
  const openMenu = async () => {
    await button.click()
    await menu.waitFor()
  }
  const waitUntilClosed = () => menu.waitFor({ state: 'hidden' })

  await openMenu()
  await page.keyboard.press('Escape')
  await waitUntilClosed()
  expect(await button.evaluate((it) => it.matches(':focus'))).toBe(true)

  await openMenu()
  await menu.click({ position: { x: 2, y: 2 } })
  expect(await menu.isVisible()).toBe(true)
  await page.mouse.click(195, 800)
  await waitUntilClosed()

  await openMenu()
  await menu.getByRole('link').last().focus()
  await page.keyboard.press('Tab')
  await waitUntilClosed()

  await openMenu()
  await menu.getByRole('link', { name: 'FAQs' }).click()
  await waitUntilClosed()
})

test('a menu that is opened before its script has loaded opens then, and returns the focus', async () => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/account-menu-content-*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  const button = page.getByRole('button', { name: /^Account of/ })
  const menu = page.getByRole('menu', { name: /^Account of/ })
  const settings = menu.getByRole('menuitem', { name: 'Settings' })
  await button.press('Enter')
  expect(await menu.isVisible()).toBe(false)
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true')
  scripts.resolve()
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true)
  await button.press('ArrowDown')
  await expect.poll(() => settings.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/manage\/investor\/settings$/)
})

test('two changes of the address at once are both kept', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/transactions')
  await waitUntilLoaded(page)
  const chosen = await page.getByRole('main').evaluate((main) => {
    const filters = [...main.querySelectorAll('select')].slice(0, 2)
    return filters.map((filter) => {
      filter.selectedIndex = 1
      const { value } = filter
      // The page draws the first change only after both events.
      filter.dispatchEvent(new Event('change', { bubbles: true }))
      return value
    })
  })
  expect(new Set(chosen)).toHaveProperty('size', 2)
  await expect
    .poll(() => [...new URL(page.url()).searchParams.values()])
    .toEqual(expect.arrayContaining(chosen))
})
