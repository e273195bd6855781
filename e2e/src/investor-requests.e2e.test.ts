import { expect, test } from 'vitest'
import { deposit, openInvestment, readWallet } from './investor-forms.ts'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'

useSharedSite()

/**
 * Opens the cancellation of the newest pending request twice. Keeps the request the first time, and
 * cancels the request the second time.
 */
async function cancelNewestRequest(
  kind: 'Deposit' | 'Withdrawal',
  warning: RegExp,
  returned: string | null = null,
): Promise<void> {
  await openPath(`/manage/investor/transactions?status=pending&type=${kind.toLowerCase()}`)
  await page
    .getByRole('button', { name: new RegExp(`Details of ${kind}`) })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Cancel this request' }).click()
  await panel.getByText(warning).waitFor()
  await panel.getByRole('button', { name: 'Keep it' }).click()
  await panel.getByRole('button', { name: 'Cancel this request' }).click()
  await panel.getByRole('button', { name: 'Cancel the request' }).click()
  await page.getByText('Your request is cancelled.').waitFor()
  const cancelled = panel.getByRole('definition').filter({ hasText: /, by you$/ })
  await cancelled.waitFor()
  await panel.getByText(/proves that event [\d,]+ \(Cancelled\) is in the signed/).waitFor()
  const facts = await panel.getByRole('definition').allTextContents()
  if (returned !== null) expect(facts).toContain(returned)
  await panel.getByText('Cancelled', { exact: true }).first().waitFor()
  expect(await panel.getByText(/^(Declined|Decided|Reason)$/).count()).toBe(0)
  // The list without its only match would be empty.
  await page.waitForURL((url) => !url.searchParams.has('status'))
  await page.keyboard.press('Escape')
  const rows = page.getByRole('row').filter({ hasText: kind })
  await rows.getByText('Cancelled', { exact: true }).first().waitFor()
}

test('a pending deposit and a pending withdrawal are cancelled, and the held amount is returned', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  const before = await readWallet(person)
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByLabel('Amount').fill('20')
  await page.getByLabel('Bank account').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('Withdrawal Requested!').waitFor()
  await page.getByText('Bank account First Harbor Bank, •••• 3040').waitFor()
  expect((await readWallet(person)).balance).not.toBe(before.balance)
  await page.getByRole('link', { name: 'Open the request' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel this request' }).waitFor()

  await cancelNewestRequest(
    'Withdrawal',
    /^\$20\.00 is held for this withdrawal\. It returns to your Wallet Balance\.$/,
    '$20.00 to Wallet Balance',
  )
  expect(await readWallet(person)).toEqual(before)

  await deposit('61.25')
  await cancelNewestRequest('Deposit', /If you have already sent it, keep the request\.$/)
  await openPath('/manage/investor/transactions?status=declined&type=deposit')
  const row = page.getByRole('row').filter({ hasText: '$61.25' })
  await row.getByText('Cancelled', { exact: true }).waitFor()
  const filter = page.getByRole('combobox', { name: 'Status' }).locator('option:checked')
  await expect.poll(() => filter.textContent()).toBe('Declined or cancelled')
  expect(await readWallet(person)).toEqual(before)
})

test('an investment can be cancelled only within the cooling-off period', async () => {
  const person = await addInvestor(platform)
  await changeSettings(platform, 'payment', { coolingOffHours: 24 })
  await signIn(page, platform, person)
  const before = await readWallet(person)
  const cancelled = await openInvestment('100')
  expect((await readWallet(person)).balance).not.toBe(before.balance)
  await openPath(`/manage/investor/investments?investment=${cancelled}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Cancel this investment' }).click()
  await panel.getByText(/You can cancel this investment until/).waitFor()
  await panel.getByRole('button', { name: 'Cancel the investment' }).click()
  await page.getByText('Your investment is cancelled.').waitFor()
  await panel.getByText('Cancelled', { exact: true }).first().waitFor()
  expect(await readWallet(person)).toEqual(before)

  const kept = await openInvestment('100')
  await changeSettings(platform, 'payment', { coolingOffHours: 0 })
  await openPath(`/manage/investor/investments?investment=${kept}`)
  await panel.getByText('Opened', { exact: true }).waitFor()
  expect(await panel.getByRole('button', { name: 'Cancel this investment' }).count()).toBe(0)
})

test('a link from a result to its empty form opens the form, and the next request is a new one', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  await openPath('/manage/investor/withdrawal?source=balance')
  for (const amount of ['21', '22']) {
    await page.getByLabel('Amount').fill(amount)
    await page.getByRole('button', { name: 'Request withdrawal' }).click()
    await page.getByText(`Withdrawal of $${amount}.00 is waiting for review`).waitFor()
    await page.getByRole('link', { name: 'Make another request' }).click()
    await page.getByRole('heading', { name: 'Select Withdrawal Source' }).waitFor()
    expect(await page.getByText('Withdrawal Requested!').count()).toBe(0)
    await page.getByRole('button', { name: /Wallet Balance/ }).click()
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('')
  }
  expect((await readWallet(person)).balance).toBe(957)

  await deposit('62.25')
  await openFromSearch('Deposit')
  await page.getByRole('heading', { name: 'Select Payment Method' }).waitFor()
  expect(await page.getByText('Deposit Submitted!').count()).toBe(0)

  await openInvestment('100')
  await openFromSearch('New investment')
  await page.getByRole('heading', { name: 'New Investment' }).waitFor()
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('')

  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByLabel('Amount').fill('23')
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page
    .getByText(/^\$100\.00 is invested\. The next principal, \$100\.00, is due on/)
    .waitFor()
})

/** Opens a page of this area with the command palette, without loading a new document. */
async function openFromSearch(name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option', { name }).click()
}
