import { expect, test } from 'vitest'
import { addInvestor, requestDeposit, signIn } from './people.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

test('an administrator approves in one browser, and the investor’s open page shows it in the other', async () => {
  const person = await addInvestor(platform, { balance: 0 })
  await requestDeposit(platform, person, '750')
  await signIn(page, platform, person)
  await page.goto(`${platform.url}/manage/investor/transactions`)
  const row = page.getByRole('row').filter({ hasText: '$750' })
  await row.getByText('Pending').first().waitFor()
  let loads = 0
  page.on('load', () => {
    loads += 1
  })

  const office = await openWatched(browser)
  await signIn(office, platform, LOGINS.admin)
  await office.goto(`${platform.url}/manage/admin/transactions?status=pending&q=${person.email}`)
  await office.getByRole('button', { name: 'Approve', exact: true }).first().click()
  await office.getByRole('button', { name: /^Approve and credit/ }).click()
  await office
    .getByText(/^(Deposit|Withdrawal) approved: .+, \$[\d,.]+\./)
    .first()
    .waitFor()
  await expect.poll(() => row.getByText('Pending').count()).toBe(0)
  await row.getByText('Completed').first().waitFor()
  expect(loads).toBe(0)
})
