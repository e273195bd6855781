import { logInAs } from './api-client.ts'
import type { Login } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { openPath, page, platform } from './shared-site.ts'

export async function createReceipt() {
  const buffer = Buffer.from(await createReceiptPng().arrayBuffer())
  return { name: 'receipt.png', mimeType: 'image/png', buffer }
}

/** Reads the amounts of the wallets from the API. */
export async function readWallet({ email, password }: Login): Promise<Record<string, number>> {
  const api = await logInAs(platform.url, email, password)
  return (await api.get('stats/users')).body.data.stats.wallet
}

/** Submits a deposit by bank transfer in the browser. */
export async function deposit(amount: string): Promise<void> {
  await openPath('/manage/investor/deposit')
  await page.getByRole('button', { name: /Bank Transfer/ }).click()
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Payment proof').setInputFiles(await createReceipt())
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Deposit Submitted!').waitFor()
}

/**
 * Invests an amount without cents in the first plan that pays at the end, in the browser. Returns the
 * id of the investment.
 */
export async function openInvestment(amount: string): Promise<string> {
  await openPath('/manage/investor/investments?view=new')
  const plan = page.getByRole('article').filter({ hasText: 'due at the end' }).first()
  await plan.getByRole('button', { name: 'Select' }).click()
  await page.getByLabel('Amount').fill(amount)
  await page
    .getByText(new RegExp(`You pay \\$${amount}\\.00\\. By .+ is due to you in total`))
    .waitFor()
  await page.getByLabel(/I understand that profit is not guaranteed/).check()
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/users/me/investments')),
    page.getByRole('button', { name: `Invest $${amount}` }).click(),
  ])
  await page.getByText('Investment successful!').waitFor()
  return (await answer.json()).data.investment.id
}
