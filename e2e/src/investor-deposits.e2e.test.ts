import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { createReceipt, readWallet } from './investor-forms.ts'
import { addInvestor, signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

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
