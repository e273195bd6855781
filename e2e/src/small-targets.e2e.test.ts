import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, type Visitor } from './site-pages.ts'
import { findSmallTargets } from './small-targets.ts'
import { openWindow, waitUntilLoaded } from './visit.ts'

// The tests of accessibility measure all pages after they have loaded. These tests measure menus,
// panels and dialogs that the user opens in a page.

useSharedSite()

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const

type Opened = {
  visitor: Visitor
  path: string
  /** The name of the button that opens it, or a function that finds the button. */
  button: RegExp | ((page: Page) => Locator)
  /** The role of the element that the button opens. */
  opens: 'navigation' | 'menu' | 'dialog'
  /** The width at which the page has the button; by default, both widths. */
  only?: (typeof SIZES)[number]['width']
}

const OPENED: readonly Opened[] = [
  {
    visitor: 'visitor',
    path: '/',
    button: (page) => page.getByRole('banner').getByLabel('Menu', { exact: true }),
    opens: 'navigation',
    only: 390,
  },
  {
    visitor: 'investor',
    path: '/manage/investor/dashboard',
    button: /^Account of/,
    opens: 'menu',
  },
  {
    visitor: 'investor',
    path: '/manage/investor/dashboard',
    button: /^Notifications/,
    opens: 'menu',
  },
  {
    visitor: 'investor',
    path: '/manage/investor/investments',
    button: /Details of/,
    opens: 'dialog',
  },
  {
    visitor: 'investor',
    path: '/manage/investor/transactions',
    button: /Details of/,
    opens: 'dialog',
  },
  { visitor: 'admin', path: '/manage/admin/transactions', button: /^View$/, opens: 'menu' },
  { visitor: 'admin', path: '/manage/admin/transactions', button: /Details of/, opens: 'dialog' },
  { visitor: 'admin', path: '/manage/admin/audit', button: /Details$/, opens: 'dialog' },
  { visitor: 'admin', path: '/manage/admin/reserve', button: /^Pay in$/, opens: 'dialog' },
]

const MOVING_TRIES = 50

test.each(SIZES)(
  'what opens in a page has targets of at least 24 px, at $width px',
  async (size) => {
    const found: string[] = []
    for (const visitor of ['visitor', 'investor', 'admin'] as const) {
      const page = await openWindow(browser, { ...size, theme: 'light' })
      const login = LOGINS[visitor]
      if (login !== null) await signIn(page, platform, login)
      const opened = OPENED.filter(
        (each) => each.visitor === visitor && (each.only ?? size.width) === size.width,
      )
      for (const { path, button, opens } of opened) {
        await page.goto(`${platform.url}${path}`)
        await waitUntilLoaded(page)
        const opener =
          typeof button === 'function' ? button(page) : page.getByRole('button', { name: button })
        await opener.first().click()
        const part = page.getByRole(opens).last()
        await part.waitFor()
        await waitUntilLoaded(page)
        let problems = await findSmallTargets(page, part)
        // A panel that is still moving into its place can cover a target for a moment.
        for (let tries = 0; problems.length > 0 && tries < MOVING_TRIES; tries += 1) {
          await delay(100)
          problems = await findSmallTargets(page, part)
        }
        found.push(...problems.map((problem) => `${path}: ${problem}`))
      }
      await page.context().close()
    }
    expect(found).toEqual([])
  },
)

test('its sabotaged twin: a button that is too low or clipped is reported', async () => {
  const page = await openWindow(browser, { ...SIZES[1], theme: 'light' })
  await page.goto(`${platform.url}/users/login`)
  await waitUntilLoaded(page)
  expect(await findSmallTargets(page)).toEqual([])
  const login = page.getByRole('button', { name: 'Login' })
  await login.evaluate((button) => {
    // With a normal line height, the text would extend beyond the button and would also be
    // clickable.
    button.style.lineHeight = '1'
    button.style.height = '20px'
  })
  expect(await findSmallTargets(page)).toEqual([
    expect.stringMatching(/^button "Login" is .* x 20/),
  ])
  await login.evaluate((button) => {
    button.style.height = ''
    button.style.lineHeight = ''
    // The clip leaves 20 px of the button's height of 48 px.
    button.style.clipPath = 'inset(14px 0)'
  })
  expect(await findSmallTargets(page)).toEqual([expect.stringMatching(/^button "Login" is /)])
  await page.context().close()
})
