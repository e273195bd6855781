import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

describe('more than 10,000 referrers', () => {
  const ADDED = 10_060

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
  })
})
