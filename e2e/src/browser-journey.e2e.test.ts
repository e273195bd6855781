import { expect, test } from 'vitest'
import { createApiClient } from './api-client.ts'
import { findCodeIn, waitForMail } from './mailbox.ts'
import { signIn } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { fillLogin } from './visit.ts'
import { openWatched } from './watched-window.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'a long walk uphill'

useSharedSite()

async function fillPersonal(email: string): Promise<void> {
  await page.getByLabel('Fullname').fill('Ada Walker')
  await page.getByLabel('Gender').selectOption('Female')
  await page.getByLabel('Phone').fill('+44 20 7946 0000')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Next' }).click()
}

async function signUp(email: string): Promise<void> {
  await openPath('/users/register')
  await fillPersonal(email)
  await page.getByRole('heading', { name: 'Address Information' }).waitFor()
  await page.getByLabel('Country').selectOption('GB')
  await page.getByLabel('Address 1').fill('1 Hill Road')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('heading', { name: 'Verify Email' }).waitFor()
}

async function enterCode(code: string): Promise<void> {
  await page.getByLabel('Four-digit code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

async function waitForCode(email: string): Promise<string> {
  return findCodeIn(await waitForMail(platform.mailUrl, { to: email, subject: /code|verif/i }))
}

async function logInAs(email: string, password: string): Promise<void> {
  await openPath('/users/login')
  await fillLogin(page, { email, password })
  await page.waitForURL(/\/manage\//)
}

async function register(email: string): Promise<void> {
  await signUp(email)
  await enterCode(await waitForCode(email))
  await page.getByRole('heading', { name: 'Congratulations!' }).waitFor()
  await page.getByText('Your account has been created.').waitFor()
  await page.getByRole('link', { name: 'Close' }).click()
  await logInAs(email, PASSWORD)
}

async function openDeposit(): Promise<void> {
  await openPath('/manage/investor/transactions')
  await page.getByRole('link', { name: 'Deposit Funds' }).first().click()
  await page.getByText('Select Payment Method').first().waitFor()
  await page
    .getByRole('button', { name: /Bank Transfer/ })
    .first()
    .click()
}

async function chooseReceipt(): Promise<void> {
  const buffer = Buffer.from(await createReceiptPng().arrayBuffer())
  const file = { name: 'receipt.png', mimeType: 'image/png', buffer }
  await page.getByLabel('Payment proof').setInputFiles(file)
}

async function deposit(amount: string): Promise<void> {
  await openDeposit()
  await page.getByLabel('Amount').fill(amount)
  await chooseReceipt()
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Deposit Submitted!').waitFor()
}

/** Approves the newest pending request of a person in a new window of the administrator. */
async function approveFor(person: string): Promise<void> {
  const office = await openWatched(browser)
  await signIn(office, platform, LOGINS.admin)
  await office.goto(`${platform.url}/manage/admin/transactions?status=pending&q=${person}`)
  await office.getByRole('button', { name: 'Approve', exact: true }).first().click()
  await office.getByRole('button', { name: /^Approve (and credit|payout of)/ }).click()
  await office
    .getByText(/^(Deposit|Withdrawal) approved: .+, \$[\d,.]+\./)
    .first()
    .waitFor()
}

test('a person registers, deposits, invests, sees profit accrue and withdraws', async () => {
  const email = 'browser@example.com'
  await register(email)
  await page.getByText('Account Balance').waitFor()

  await deposit('1000')
  await approveFor(email)
  await waitForMail(platform.mailUrl, { to: email, subject: /approved/i })
  await openPath('/manage/investor/dashboard')
  await page.getByText('$1,000.00').first().waitFor()

  await openPath('/manage/investor/investments')
  await page.getByRole('link', { name: 'New Investment' }).first().click()
  const hourly = page.getByRole('article').filter({ hasText: 'Hourly' })
  await hourly.getByRole('button', { name: 'Select' }).click()
  await page.getByLabel('Amount').fill('500')
  await page.getByText(/You pay \$500\.00\. By .+ is due to you in total/).waitFor()
  await page.getByLabel(/I understand that profit is not guaranteed/).check()
  await page.getByRole('button', { name: 'Invest $500' }).click()
  await page.getByText('Investment successful!').waitFor()
  await waitForMail(platform.mailUrl, { to: email, subject: /investment/i })

  await platform.moveClock(HOUR_MS + 1_000)
  await logInAs(email, PASSWORD)
  // The profit is 5.00, 1 % of 500.00. Each of the 48 hours pays 0.104, rounded down to 0.10.
  await page.getByText('1 of 48 hours').first().waitFor()
  await page.getByText('$0.10').first().waitFor()

  await openPath('/manage/investor/transactions')
  await page.getByRole('button', { name: 'Bank Accounts' }).click()
  await page.getByText('No bank accounts').first().waitFor()
  await page.getByRole('button', { name: /Add/ }).first().click()
  await page.getByLabel('Bank name').fill('Hill Bank')
  await page.getByLabel('Account number').fill('12345678')
  await page.getByLabel('Account name').fill('Ada Walker')
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.getByText('Hill Bank').first().waitFor()

  await openPath('/manage/investor/withdrawal')
  await page.getByRole('button', { name: /Wallet Balance/ }).click()
  await page.getByLabel('Amount').fill('500.01')
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('You can withdraw up to').first().waitFor()
  expect(await page.getByText('Withdrawal Requested!').count()).toBe(0)
  await page.getByLabel('Amount').fill('120')
  await page.getByLabel('Bank account').selectOption({ label: 'Hill Bank, •••• 5678' })
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('Withdrawal Requested!').waitFor()
  await openPath('/manage/investor/dashboard')
  await page.getByText('$380.00').first().waitFor()

  await approveFor(email)
  await waitForMail(platform.mailUrl, { to: email, subject: /withdrawal.*(approved|paid)/i })
})

test('without a receipt nothing is sent', async () => {
  await register('no-receipt@example.com')
  await openDeposit()
  await page.getByLabel('Amount').fill('100')
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Please provide receipt').waitFor()
  await openPath('/manage/investor/transactions')
  await page.getByText('No Transactions Found').waitFor()
})

test('without the funds no investment opens', async () => {
  await register('no-funds@example.com')
  await openPath('/manage/investor/investments')
  await page.getByRole('link', { name: 'New Investment' }).first().click()
  const starter = page.getByRole('article').filter({ hasText: 'Starter' })
  await starter.getByRole('button', { name: 'Select' }).click()
  await page.getByLabel('Amount').fill('500')
  await page.getByLabel(/I understand that profit is not guaranteed/).check()
  await page.getByRole('button', { name: /^Invest/ }).click()
  await page.getByText('Insufficient wallet balance').first().waitFor()
})

test('after five wrong codes the right one no longer works', async () => {
  const email = 'wrong-code@example.com'
  await signUp(email)
  const right = await waitForCode(email)
  for (let guess = 0; guess < 5; guess += 1) {
    await enterCode(right === '0000' ? '1111' : '0000')
    await page.getByLabel('Four-digit code').and(page.locator('[aria-invalid="true"]')).waitFor()
  }
  await enterCode(right)
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  expect(await page.getByText('Congratulations!').isVisible()).toBe(false)
})

test('a sign-up that another one has replaced says so and starts again with its fields', async () => {
  const email = 'replaced@example.com'
  await signUp(email)
  const stranger = createApiClient(platform.url)
  await stranger.get('countries')
  const form = {
    ...{ name: 'Another', gender: 'Male', phone: '+44 20 7946 0001', email, country: 'GB' },
    ...{ password: 'not their password', passwordConfirm: 'not their password' },
    firstAddress: '2 Hill Road',
  }
  expect((await stranger.send('POST', 'users/signup', form)).status).toBe(201)
  // The page counts the seconds before another code; after a reload it does not know them.
  await page.reload()
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.getByText('This browser has no open sign-up.').waitFor()
  await page.getByRole('link', { name: 'Log in to get a new code' }).waitFor()
  await page.getByRole('button', { name: 'Sign up again' }).click()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
})

test('a sign-up with a mistyped email is left for another one, with its fields', async () => {
  await signUp('mistyped@exmaple.com')
  await page.getByRole('button', { name: 'Use another email' }).click()
  expect(await page.getByLabel('Fullname').inputValue()).toBe('Ada Walker')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  const email = 'corrected@example.com'
  await fillPersonal(email)
  await page.getByRole('heading', { name: 'Address Information' }).waitFor()
  expect(await page.getByLabel('Address 1').inputValue()).toBe('1 Hill Road')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText(email).waitFor()
  await enterCode(await waitForCode(email))
  await page.getByRole('heading', { name: 'Congratulations!' }).waitFor()
})

test('visitors and investors are redirected from pages that they may not open', async () => {
  await openPath('/manage/admin/transactions')
  await page.waitForURL(/\/users\/login/)
  await page.getByText('You must login first').waitFor()
  await logInAs('investor@cairn.example', 'cairn-demo-investor')
  await openPath('/manage/admin/transactions')
  await page.waitForURL(/\/manage\/investor\/dashboard/)
  await openPath('/no/such/page')
  await page.getByText('Sorry, the page you were looking for was not found.').waitFor()
})
