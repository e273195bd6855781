import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addAdmin, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

/** The time in which a page that sends its search in a loop would send it several times. */
const WATCHED_MS = 1_500

let search: Locator
beforeEach(() => {
  search = page.getByRole('searchbox')
})

/** Counts in `window.replaced` how often the page replaces its address. */
async function countReplacedAddresses(): Promise<void> {
  await page.addInitScript(() => {
    const replace = history.replaceState.bind(history)
    Object.assign(window, { replaced: 0 })
    history.replaceState = (...args) => {
      Object.assign(window, { replaced: Number(Reflect.get(window, 'replaced')) + 1 })
      replace(...args)
    }
  })
}

const readReplaced = () => page.evaluate(() => Number(Reflect.get(window, 'replaced')))

/**
 * Lets the page hold its transitions: while `window.isHeld` is true, React's scheduler gets no
 * message. `window.release` delivers the messages that it missed.
 */
async function makeTransitionsHoldable(): Promise<void> {
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage
    const held: (() => void)[] = []
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      // The cast is safe because the arguments are passed on unchanged.
      const send = () => Reflect.apply(post, this, args) as undefined
      if (Reflect.get(window, 'isHeld') === true) held.push(send)
      else send()
    }
    Object.assign(window, {
      release: () => {
        Object.assign(window, { isHeld: false })
        for (const send of held.splice(0)) send()
      },
    })
  })
}

test('a saved view of the accounts fills the search, and the menu of the site empties it', async () => {
  await signIn(page, platform, await addAdmin(platform))
  await openPath('/manage/admin/accounts?q=cash:')
  const table = page.getByRole('table', { name: 'Accounts' })
  await table.waitFor()
  const openMenu = () => page.getByRole('button', { name: 'View', exact: true }).click()
  await openMenu()
  await page.getByRole('menuitem', { name: 'Save or remove views' }).click()
  await page.getByLabel('Name of the current view').fill('Cash')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Cash' }).waitFor()

  await openPath('/manage/admin/accounts')
  await table.waitFor()
  await openMenu()
  await page.getByRole('menuitem', { name: 'Cash', exact: true }).click()
  await page.waitForURL((url) => url.searchParams.get('q') === 'cash:')
  await expect.poll(() => search.inputValue()).toBe('cash:')
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page.waitForURL((url) => url.search === '')
  await expect.poll(() => search.inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => search.inputValue()).toBe('cash:')
})

test('a search that ends with a space is sent once', async () => {
  await countReplacedAddresses()
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/accounts')
  await page.getByRole('table', { name: 'Accounts' }).waitFor()
  const before = await readReplaced()
  await search.fill('cash ')
  await page.waitForURL((url) => url.searchParams.get('q')?.startsWith('cash') === true)
  // A busy machine can only hide the loop, so the wait cannot make the test fail.
  await page.waitForTimeout(WATCHED_MS)
  expect(await search.inputValue()).toBe('cash ')
  expect(await readReplaced()).toBe(before + 1)
  await page.getByRole('table', { name: 'Accounts' }).getByText('cash:').first().waitFor()
})

test('a letter that is typed before the results of a search are shown stays', async () => {
  await makeTransitionsHoldable()
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/transactions')
  await page.getByRole('table', { name: 'Transactions' }).waitFor()
  await search.focus()
  await page.evaluate(() => Object.assign(window, { isHeld: true }) && null)
  await page.keyboard.type('iv')
  await page.waitForURL((url) => url.searchParams.get('q') === 'iv')
  await page.keyboard.type('y')
  await page.evaluate(() => Reflect.get(window, 'release')())
  await page.waitForURL((url) => url.searchParams.get('q') === 'ivy')
  await expect.poll(() => search.inputValue()).toBe('ivy')
})

test.each(['transactions', 'audit'])('a date of %s is typed on the keyboard', async (name) => {
  await signIn(page, platform, LOGINS.admin)
  await openPath(`/manage/admin/${name}?date=custom`)
  await page.getByLabel('From', { exact: true }).focus()
  const entries = await page.evaluate(() => history.length)
  // The pause lets the page show each date that the digits of the year make, such as 0002-11-01.
  await page.keyboard.type('11012026', { delay: 400 })
  await page.waitForURL((url) => url.searchParams.get('since') === '2026-11-01')
  // The browser starts a date again if its limit changes while it is typed, which takes a person
  // longer than the page needs to show the limit.
  await page.getByLabel('To', { exact: true }).and(page.locator('[min="2026-11-01"]')).focus()
  await page.keyboard.type('11022026')
  await page.waitForURL((url) => url.searchParams.get('until') === '2026-11-02')
  expect(await page.evaluate(() => history.length)).toBe(entries)
})

test('the time of a trial balance is typed without a failure', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/accounts')
  const table = page.getByRole('table', { name: 'Trial balance' })
  await table.waitFor()
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/trial-balance?')) statuses.push(response.status())
  })
  const time = page.getByLabel(/^As of/)
  await time.fill('2999-11-20T14:30')
  await expect.poll(() => statuses).toEqual([200])
  await time.focus()
  // The pause lets the page ask for each year that the digits make, such as 0002.
  await page.keyboard.type('11202998', { delay: 400 })
  await expect.poll(() => time.inputValue()).toBe('2998-11-20T14:30')
  await table.waitFor()
  await expect.poll(() => statuses.length).toBeGreaterThan(1)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})
