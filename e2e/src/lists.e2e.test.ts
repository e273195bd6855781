import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { addInvestor, type Person, requestDeposit, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

const PHONE = { width: 390, height: 844 }
const DEPOSITS = ['40', '20', '30'] as const

/** Returns the amounts of the rows without their signs, from the top to the bottom. */
async function readAmounts(rows: Locator): Promise<readonly number[]> {
  const texts = await rows.allTextContents()
  return texts.flatMap((text) => {
    const amount = text.match(/\$([\d,]+\.\d\d)/)?.[1]
    return amount === undefined ? [] : [Number(amount.replaceAll(',', ''))]
  })
}

const isFalling = (amounts: readonly number[]) =>
  amounts.every((amount, at) => at === 0 || amount <= (amounts[at - 1] ?? 0))
const isRising = (amounts: readonly number[]) => isFalling(amounts.toReversed())

async function openViewMenu(on: Page): Promise<void> {
  await on.getByRole('button', { name: 'View', exact: true }).click()
}

describe('the transactions of an investor', () => {
  let investor: Person
  beforeAll(async () => {
    investor = await addInvestor(platform, { balance: 0 })
    for (const amount of DEPOSITS) await requestDeposit(platform, investor, amount)
  })

  test('are sorted by a click on a header, which says so', async () => {
    await signIn(page, platform, investor)
    await openPath('/manage/investor/transactions')
    const table = page.getByRole('table', { name: 'Transaction History' })
    const header = table.getByRole('columnheader', { name: 'Amount' })
    const rows = table.locator('tbody tr')
    await expect.poll(() => readAmounts(rows)).toEqual([30, 20, 40])
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('none')
    await header.getByRole('button').click()
    await expect.poll(() => readAmounts(rows)).toEqual([40, 30, 20])
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
    await header.getByRole('button').click()
    await expect.poll(() => readAmounts(rows)).toEqual([20, 30, 40])
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    const date = table.getByRole('columnheader', { name: 'Date' })
    await expect.poll(() => date.getAttribute('aria-sort')).toBe('none')
  })

  test('are sorted by the menu on a phone, which offers no columns there', async () => {
    await page.setViewportSize(PHONE)
    await signIn(page, platform, investor)
    await openPath('/manage/investor/transactions')
    const rows = page.getByRole('list', { name: 'Transaction History' }).locator('li')
    await expect.poll(() => readAmounts(rows)).toEqual([30, 20, 40])
    await openViewMenu(page)
    expect(await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).count()).toBe(0)
    await page.getByRole('menuitemcheckbox', { name: 'Amount, ascending' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => readAmounts(rows)).toEqual([20, 30, 40])
  })

  test('keep the chosen columns and density after the page is loaded again', async () => {
    await signIn(page, platform, investor)
    await openPath('/manage/investor/transactions')
    const table = page.getByRole('table', { name: 'Transaction History' })
    const balance = table.getByRole('columnheader', { name: 'Balance after' })
    const readHeight = async () => (await table.locator('tbody tr').first().boundingBox())?.height
    await balance.waitFor()
    const height = (await readHeight()) ?? 0
    await openViewMenu(page)
    for (const name of ['Balance after', 'Compact rows']) {
      await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok()),
        page.getByRole('menuitemcheckbox', { name }).click(),
      ])
    }
    await page.reload()
    await table.getByRole('columnheader', { name: 'Date' }).waitFor()
    await balance.waitFor({ state: 'detached' })
    await expect.poll(readHeight).toBeLessThan(height)
  })
})

test('a view of the audit log is saved by name and opened again', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/audit?date=today')
  await openViewMenu(page)
  await page.getByRole('menuitem', { name: 'Save or remove views' }).click()
  await page.getByLabel('Name of the current view').fill('Actions of today')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const remove = page.getByRole('button', { name: 'Remove Actions of today' })
  await remove.waitFor()
  await openPath('/manage/admin/audit')
  await openViewMenu(page)
  await page.getByRole('menuitem', { name: 'Actions of today' }).click()
  await page.waitForURL((url) => url.search === '?date=today')
  await openViewMenu(page)
  await page.getByRole('menuitem', { name: 'Save or remove views' }).click()
  await remove.click()
  await page.getByText('No saved views yet.').waitFor()
})

describe('more than 10,000 referrers', () => {
  const ADDED = 10_120

  // Each added user was referred by the added user before, so all but the last are referrers.
  beforeAll(async () => {
    await runSqlAsSuperuser(
      platform,
      `insert into identity.user
       select (jsonb_populate_record(original, jsonb_build_object(
         'id', '7zzzzzzzzz' || lpad(n::text, 10, '0'),
         'referrer_id', case when n > 1 then '7zzzzzzzzz' || lpad((n - 1)::text, 10, '0') end,
         'account_id', 'Z' || lpad(n::text, 11, '0'),
         'email', 'long.list.' || n || '@cairn.example',
         'name', 'Person ' || lpad(n::text, 5, '0'),
         'status', 'pending', 'photo_id', null, 'mfa_enabled_at', null))).*
       from identity.user as original, generate_series(1, ${ADDED}) as n
       where original.email = '${LOGINS.investor.email}'`,
    )
  })
  afterAll(() =>
    runSqlAsSuperuser(platform, `delete from identity.user where id like '7zzzzzzzzz%'`),
  )

  test('are paged beyond row 10,000, forwards and backwards', async () => {
    await signIn(page, platform, LOGINS.admin)
    await openPath('/manage/admin/referrals?page=501')
    const table = page.getByRole('table', { name: 'Referrers' })
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const readNumbers = async () =>
      (await table.locator('tbody tr').allTextContents()).map((text) =>
        Number(text.match(/Person (\d{5})/)?.[1]),
      )
    await table.waitFor()
    const [start = 0] = await readNumbers()
    expect(start).toBeGreaterThan(9_900)
    const listFrom = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => first + at)
    expect(await readNumbers()).toEqual(listFrom(start, 20))

    await pages.getByRole('button', { name: 'Next' }).click()
    await expect.poll(readNumbers).toEqual(listFrom(start + 20, 20))
    await pages.getByText(/^Page 502 of /).waitFor()
    await pages.getByRole('button', { name: 'Next' }).click()
    await expect.poll(readNumbers).toEqual(listFrom(start + 40, 20))
    await pages.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(readNumbers).toEqual(listFrom(start + 20, 20))
    await page.reload()
    await expect.poll(readNumbers).toEqual(listFrom(start + 20, 20))

    // A second click before the rows have loaded opens no page, because it would name a wrong row.
    const answers = Promise.withResolvers<void>()
    await page.route('**/api/v1/admin/referrals?*', async (route) => {
      await answers.promise
      await route.continue()
    })
    await pages.getByRole('button', { name: 'Next' }).click()
    await pages.getByRole('button', { name: 'Next' }).click()
    answers.resolve()
    await expect.poll(readNumbers).toEqual(listFrom(start + 40, 20))
    await pages.getByText(/^Page 503 of /).waitFor()
  })
})

/** The width of the button that empties a search field, which the browser reserves. */
const CLEAR_WIDTH = 24

test.each([390, 1_280, 1_408])('no placeholder of a search is cut off at %i px', async (width) => {
  await page.setViewportSize({ width, height: 900 })
  for (const { login, names } of [
    { login: 'investor', names: ['transactions', 'investments'] },
    { login: 'admin', names: ['transactions', 'investments', 'users'] },
  ] as const) {
    // An open page would notice the other session and navigate by itself.
    await openPath('/robots.txt')
    await signIn(page, platform, LOGINS[login])
    for (const name of names) {
      await openPath(`/manage/${login}/${name}`)
      const field = page.getByRole('searchbox', { name: / by / })
      await page.evaluate(() => document.fonts.ready.then(() => null))
      const [needed, free] = await field.evaluate((it: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(it)
        const pen = document.createElement('canvas').getContext('2d')
        if (pen === null) throw new Error('no canvas')
        pen.font = font
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
        return [pen.measureText(it.placeholder).width, it.clientWidth - padding] as const
      })
      expect(needed, `${login} ${name}`).toBeGreaterThan(0)
      expect(needed, `${login} ${name}`).toBeLessThan(free - CLEAR_WIDTH)
    }
  }
})

test('the transactions of all users are sorted by a click on a header', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/transactions')
  const table = page.getByRole('table', { name: 'Transactions' })
  const header = table.getByRole('columnheader', { name: 'Amount' })
  const read = () => readAmounts(table.locator('tbody tr'))
  await header.getByRole('button').click()
  await expect.poll(async () => isFalling(await read())).toBe(true)
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
  const largest = (await read())[0] ?? 0
  await header.getByRole('button').click()
  await expect.poll(async () => isRising(await read())).toBe(true)
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
  expect((await read())[0]).toBeLessThan(largest)
})
