import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { addInvestor, type Login, signIn } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'
import { waitUntilLoaded } from './visit.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

async function createReceipt() {
  const buffer = Buffer.from(await createReceiptPng().arrayBuffer())
  return { name: 'receipt.png', mimeType: 'image/png', buffer }
}

/** Reads the amounts of the wallets from the API. */
async function readWallet({ email, password }: Login): Promise<Record<string, number>> {
  const api = await logInAs(platform.url, email, password)
  return (await api.get('stats/users')).body.data.stats.wallet
}

const METHODS = [
  { name: /Bank Transfer/, account: 'Account number', warns: false },
  { name: /Mobile Wallet/, account: 'Account number', warns: false },
  { name: /Crypto Wallet.*Bitcoin/s, account: 'Wallet address', warns: true },
]

test('deposits by bank, mobile wallet and crypto wallet each ask for the required details', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  const before = await readWallet(person)
  for (const [index, { name, account, warns }] of METHODS.entries()) {
    await openPath('/manage/investor/deposit')
    await page.getByRole('heading', { name: 'Select Payment Method' }).waitFor()
    await page.getByRole('button', { name }).click()
    await page.getByRole('heading', { name: 'Enter Deposit Details' }).waitFor()
    await page.getByText(account, { exact: true }).waitFor()
    await page.getByText(/^Send the money first\./).waitFor()
    await expect.poll(() => page.getByText(/^Send only Bitcoin/).count()).toBe(warns ? 1 : 0)
    await page.getByLabel('Amount').fill('9.99')
    await page.getByRole('button', { name: 'Submit deposit' }).click()
    await page.getByText('Please provide receipt').waitFor()
    await page.getByLabel('Payment proof').setInputFiles(await createReceipt())
    await page.getByLabel('Amount').fill(`8${index}.50`)
    await page.getByText(`You send $8${index}.50.`).waitFor()
    await page.getByRole('button', { name: 'Submit deposit' }).click()
    await page.getByText('Deposit Submitted!').waitFor()
    await page.getByText(`Deposit of $8${index}.50 is waiting for review`).waitFor()
    await page.getByText(/A confirmation email will follow/).waitFor()
    await page.getByRole('link', { name: 'Open the request' }).waitFor()
    const bar = page.getByRole('progressbar', { name: 'Deposit' })
    await expect
      .poll(() => bar.getAttribute('aria-valuenow'))
      .toBe(await bar.getAttribute('aria-valuemax'))
  }
  await page.getByRole('link', { name: 'View Transactions' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Pending' })
  for (const amount of ['$80.50', '$81.50', '$82.50']) {
    await rows.filter({ hasText: amount }).waitFor()
  }
  // The deposit must not change the wallet before an administrator approves it.
  expect(await readWallet(person)).toEqual(before)
})

async function deposit(amount: string): Promise<void> {
  await openPath('/manage/investor/deposit')
  await page.getByRole('button', { name: /Bank Transfer/ }).click()
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Payment proof').setInputFiles(await createReceipt())
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Deposit Submitted!').waitFor()
}

test('a deposit whose answer is lost is repeated as the same deposit', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  await openPath('/manage/investor/deposit')
  await page.getByRole('button', { name: /Bank Transfer/ }).click()
  // The server records the deposit, and its answer does not reach the page.
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (init?.method !== 'POST' || !String(input).endsWith('/users/me/transactions'))
        return answer
      window.fetch = fetch
      throw new TypeError('Failed to fetch')
    }
  })
  const quoted = page.getByText('Reference to quote in your transfer').locator('+ p')
  const reference = await quoted.textContent()
  await page.getByLabel('Amount').fill('83.50')
  await page.getByLabel('Payment proof').setInputFiles(await createReceipt())
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('No response received from the server.').waitFor()
  await waitUntilLoaded(page)
  expect(await quoted.textContent()).toBe(reference)
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Deposit Submitted!').waitFor()
  const api = await logInAs(platform.url, person.email, person.password)
  const { transactions } = (await api.get('users/me/transactions?type=deposit&status=pending')).body
    .data
  expect(transactions).toMatchObject([{ amount: 83.5, reference }])
})

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
  await page.getByText(/^\$100\.00 is invested\. The next \$100\.00 is due on/).waitFor()
})

/** Opens a page of this area with the command palette, without loading a new document. */
async function openFromSearch(name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option', { name }).click()
}

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
  await page.getByText(/^\$\S+ is invested\. The next \$\S+ is due on \w+ \d+, \d{4}\.$/).waitFor()
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

test('a plan above the balance states what is missing and leads to a deposit of it', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  await openPath('/manage/investor/investments?view=new')
  const { balance } = await readWallet(person)
  const elite = page.getByRole('article').filter({ hasText: 'Elite' })
  const missing = (5_000 - (balance ?? 0)).toLocaleString('en-US', { minimumFractionDigits: 2 })
  await elite.getByText(`Needs $${missing} more`).waitFor()
  const hourly = page.getByRole('article').filter({ hasText: 'Hourly' })
  await hourly.waitFor()
  expect(await hourly.getByText(/^Needs/).count()).toBe(0)
  const readAmount = async () => {
    await page
      .getByRole('button', { name: /Bank Transfer/ })
      .first()
      .click()
    return Number(await page.getByLabel('Amount').inputValue())
  }
  await elite.getByRole('link', { name: 'Deposit what the plan Elite needs' }).click()
  expect(await readAmount()).toBe(5_000 - (balance ?? 0))

  await openPath('/manage/investor/investments?view=new')
  await elite.getByRole('button', { name: 'Select' }).click()
  await page.getByText(`Your wallet needs $${missing} more.`).waitFor()
  await page.getByLabel('Amount').fill('6000')
  await page.getByRole('main').getByRole('link', { name: 'Deposit Funds' }).click()
  expect(await readAmount()).toBe(6_000 - (balance ?? 0))
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

test('a deposit has the quoted reference, and a crypto payment links to its block explorer', async () => {
  const hash = 'ab'.repeat(32)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/payment_options')
  await page.getByRole('row').filter({ hasText: 'Bitcoin' }).getByRole('button').click()
  const editor = page.getByRole('dialog')
  await editor.getByLabel('Explorer link').fill('https://mempool.space/tx/{hash}')
  const address = await editor.getByLabel('Account number or wallet address').inputValue()
  await editor.getByLabel('Account number or wallet address').fill(`${address.slice(0, -1)}X`)
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor
    .getByText(/This is not a valid Bitcoin address: its checksum/)
    .first()
    .waitFor()
  await editor.getByLabel('Account number or wallet address').fill(address)
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })

  const own = await openWatched(browser)
  await signIn(own, platform, await addInvestor(platform))
  await own.goto(`${platform.url}/manage/investor/deposit`)
  await own.getByRole('button', { name: /Network: Bitcoin/ }).click()
  const quoted = own.getByText(/^[0-9A-Z]{16}$/)
  const reference = (await quoted.textContent()) ?? ''
  await own.reload()
  await expect.poll(() => quoted.textContent()).toBe(reference)
  await own.getByLabel('Amount').fill('90')
  await own.getByLabel('Transaction hash').fill(hash.toUpperCase())
  await own.getByLabel('Payment proof').setInputFiles(await createReceipt())
  await own.getByRole('button', { name: 'Submit deposit' }).click()
  await own.getByText('Deposit Submitted!').waitFor()
  await own.getByText(reference).waitFor()

  await openPath(`/manage/admin/transactions?q=${reference}`)
  await page
    .getByRole('button', { name: /Details of Deposit/ })
    .first()
    .click()
  const look = page.getByRole('link', { name: /Look it up at mempool\.space/ })
  await expect.poll(() => look.getAttribute('href')).toBe(`https://mempool.space/tx/${hash}`)
  await expect.poll(() => look.getAttribute('rel')).toContain('noreferrer')
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

async function openInvestment(amount: string): Promise<string> {
  await openPath('/manage/investor/investments?view=new')
  const plan = page.getByRole('article').filter({ hasText: 'due at the end' }).first()
  await plan.getByRole('button', { name: 'Select' }).click()
  await page.getByLabel('Amount').fill(amount)
  await page.getByText(/You pay \$100\.00\. By .+ is due to you in total/).waitFor()
  await page.getByLabel(/I understand that profit is not guaranteed/).check()
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/users/me/investments')),
    page.getByRole('button', { name: `Invest $${amount}` }).click(),
  ])
  await page.getByText('Investment successful!').waitFor()
  return (await answer.json()).data.investment.id
}
