import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from './api-client.ts'
import { launchBrowser } from './browser.ts'
import { sqlAsSuperuser } from './intruder.ts'
import { receiptPng } from './picture.ts'
import { type Platform, startPlatform } from './platform.ts'
import { totp } from './totp.ts'
import { fillLogin } from './visit.ts'

const ADMIN = { email: 'admin@cairn.example', password: 'cairn-demo-admin' }
const INVESTOR = { email: 'investor@cairn.example', password: 'cairn-demo-investor' }

let platform: Platform
let browser: Browser
let page: Page
let recoveryCodes: string[]
beforeAll(async () => {
  ;[platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
  const admin = createApiClient(platform.url)
  await admin.get('public/settings')
  await admin.send('POST', 'users/login', ADMIN)
  const { secret } = (await admin.send('POST', 'users/me/mfa/setup', {})).body.data
  const enabling = { code: totp(secret, Date.now()) }
  recoveryCodes = (await admin.send('POST', 'users/me/mfa/enable', enabling)).body.data
    .recoveryCodes
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${platform.url}/users/login`)
  await fillLogin(page, ADMIN)
  await page.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/\/manage\/admin/)
})
afterAll(async () => {
  await browser?.close()
  await platform?.remove()
})

async function requestDeposit(amount: string): Promise<{ id: string; reference: string }> {
  const api = createApiClient(platform.url)
  await api.get('public/settings')
  await api.send('POST', 'users/login', INVESTOR)
  const form = new FormData()
  form.set('type', 'deposit')
  form.set('amount', amount)
  form.set('pay_option', 'Bank Transfer')
  form.set('receipt', receiptPng(), 'receipt.png')
  return (await api.send('POST', 'users/me/transactions', form)).body.data.transaction
}

/** As if the code had been entered twenty minutes earlier. */
async function letTheFactorAge(): Promise<void> {
  await sqlAsSuperuser(
    platform,
    "update identity.session set mfa_at = now() - interval '20 minutes' where mfa_at is not null",
  )
}

async function approve(reference: string): Promise<void> {
  await page.goto(`${platform.url}/manage/admin/transactions?q=${reference}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve and credit/ })
    .click()
}

test('an approval asks for the code again and then goes on by itself', async () => {
  const { reference } = await requestDeposit('61')
  await letTheFactorAge()
  await approve(reference)
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('That code is not right').waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Deposit approved.').waitFor()
  expect(await dialog.isVisible()).toBe(false)
})

test('whoever does not confirm has changed nothing', async () => {
  const { reference } = await requestDeposit('62')
  await letTheFactorAge()
  await approve(reference)
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Please confirm with a code of your second factor').first().waitFor()
  await page.goto(`${platform.url}/manage/admin/transactions?q=${reference}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
})

test('the settings say for how long a code counts, and send a test e-mail', async () => {
  await page.goto(`${platform.url}/manage/admin/settings?tab=security`)
  await page.getByLabel('Minutes until money needs a new code').fill('30')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').waitFor()
  const { reference } = await requestDeposit('63')
  await letTheFactorAge()
  await approve(reference)
  await page.getByText('Deposit approved.').waitFor()

  await page.goto(`${platform.url}/manage/admin/settings?tab=notifications`)
  await page.getByRole('button', { name: 'Send test e-mail' }).click()
  await page.getByText(`A test e-mail is on its way to ${ADMIN.email}.`).waitFor()
  const subjects = async () => {
    const mails = (await (await fetch(`${platform.mailUrl}/email`)).json()) as { subject: string }[]
    return mails.map(({ subject }) => subject)
  }
  await expect.poll(subjects, { timeout: 20_000 }).toContain('[Test] New user: Ada Example')
}, 60_000)
