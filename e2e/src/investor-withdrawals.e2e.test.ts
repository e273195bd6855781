import { expect, test } from 'vitest'
import { readWallet } from './investor-forms.ts'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'

useSharedSite()

test('a withdrawal can be requested once the bank accounts have arrived', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/users\/me\/banks/, async (route) => {
    await held
    await route.continue()
  })
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByLabel('Amount').fill('23')
  const request = page.getByRole('button', { name: 'Request withdrawal' })
  expect(await request.isDisabled()).toBe(true)
  release()
  await request.click()
  await page.getByText('Withdrawal of $23.00 is waiting for review').waitFor()
})

test('before the first step, deposits state their terms and withdrawals their total', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/deposit')
  const tron = page.getByRole('button', { name: /USDT on Tron/ })
  await tron.locator('svg[data-coin="USDT"]').waitFor()
  for (const terms of ['No fee', 'Minimum $10']) {
    await tron.getByText(terms).waitFor()
  }
  await openPath('/manage/investor/withdrawal')
  await page.getByText('Available to withdraw').waitFor()
  await page
    .getByText(/^\$\S+ is invested\. The next principal, \$\S+, is due on \w+ \d+, \d{4}\.$/)
    .waitFor()
  const wallet = await readWallet(LOGINS.investor)
  const total = Object.values(wallet).reduce((sum, each) => sum + each, 0)
  await page.getByText('Profit that you have not yet withdrawn').waitFor()
  const shown = total.toLocaleString('en-US', { minimumFractionDigits: 2 })
  await page.getByText(`$${shown}`).waitFor()
  await page.getByRole('button', { name: /Referral Earnings/ }).click()
  await page.getByRole('button', { name: /^Withdraw all of this wallet: \$/ }).click()
  const typed = await page.getByLabel('Amount').inputValue()
  expect(Number(typed)).toBe(wallet.referralBalance)
  await page.getByText(/^We do not promise an arrival date/).waitFor()
})

test('the form shows the withdrawal limit and preselects the default bank account', async () => {
  const person = await addInvestor(platform)
  await changeSettings(platform, 'payment', {
    dailyWithdrawalLimit: 40,
    monthlyWithdrawalLimit: 5000,
  })
  await signIn(page, platform, person)
  await openPath('/manage/investor/settings?tab=statements')
  await page.getByText('$40 a day and $5,000 a month (UTC)').waitFor()

  await openPath('/manage/investor/transactions')
  await page.getByRole('button', { name: 'Bank Accounts' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Default', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Add a bank account' }).click()
  await dialog.getByLabel('Bank name').fill('Second Bank')
  await dialog.getByLabel('Account number').fill('22223333')
  await dialog.getByLabel('Account name').fill(person.name)
  await dialog.getByRole('button', { name: 'Save account' }).click()
  await dialog.getByRole('button', { name: 'Make Second Bank •••• 3333 the default' }).click()
  const row = dialog.getByRole('listitem').filter({ hasText: 'Second Bank' })
  await row.getByText('Default', { exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByText(/Today you can still withdraw \$40 of \$40, this month/).waitFor()
  const bank = page.getByLabel('Bank account').locator('option:checked')
  await expect.poll(() => bank.textContent()).toBe('Second Bank, •••• 3333')
  await page.getByLabel('Amount').fill('40.01')
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText(/^Today you can still withdraw \$40\. The limit of \$40 a day/).waitFor()
  await page.getByLabel('Amount').fill('40')
  const readDay = () => new Date().toISOString().slice(0, 10)
  const day = readDay()
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('Withdrawal Requested!').waitFor()
  await openPath('/manage/investor/withdrawal?source=balance')
  const isShown = (left: string) =>
    page.getByText(`Today you can still withdraw ${left} of $40`).isVisible()
  // The limit renews if the day ends after the request.
  const isUsed = async () => (await isShown('$0')) || (readDay() !== day && (await isShown('$40')))
  await expect.poll(isUsed).toBe(true)
  await changeSettings(platform, 'payment', {
    dailyWithdrawalLimit: null,
    monthlyWithdrawalLimit: null,
  })
})
