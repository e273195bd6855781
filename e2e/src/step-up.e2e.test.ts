import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { addAdmin, type Person, requestDeposit } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { computeTotp } from './totp.ts'
import { fillLogin, PATIENCE_MS } from './visit.ts'

const MINUTE_MS = 60_000

useSharedSite()
let person: Person
let page: Page
let recoveryCodes: string[]
beforeAll(async () => {
  person = await addAdmin(platform)
  const admin = await logInAs(platform.url, person.email, person.password)
  const { password } = person
  const { secret } = (await admin.send('POST', 'users/me/mfa/setup', { password })).body.data
  const enabling = { code: computeTotp(secret, await platform.now()) }
  recoveryCodes = (await admin.send('POST', 'users/me/mfa/enable', enabling)).body.data
    .recoveryCodes
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(`${platform.url}/users/login`)
  await fillLogin(page, person)
  await page.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/\/manage\/admin/)
})
afterAll(async () => {
  await page.context().close()
})

/** Sets the last use of the second factor to twenty minutes ago. */
async function ageSecondFactor(): Promise<void> {
  const at = new Date((await platform.now()) - 20 * MINUTE_MS).toISOString()
  await runSqlAsSuperuser(
    platform,
    `update identity.session set mfa_at = '${at}' where mfa_at is not null`,
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

test('an approval asks for the code again and then continues', async () => {
  const { reference } = await requestDeposit(platform, LOGINS.investor, '61')
  await ageSecondFactor()
  await approve(reference)
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('That code is not right').waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(/Deposit approved: /).waitFor()
  expect(await dialog.isVisible()).toBe(false)
})

test('without a confirmation nothing changes', async () => {
  const { reference } = await requestDeposit(platform, LOGINS.investor, '62')
  await ageSecondFactor()
  await approve(reference)
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Please confirm with your second factor').first().waitFor()
  await page.goto(`${platform.url}/manage/admin/transactions?q=${reference}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
})

test('a test email needs no confirmation', async () => {
  await ageSecondFactor()
  await page.goto(`${platform.url}/manage/admin/settings?tab=notifications`)
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText(`A test email is being sent to ${person.email}.`).waitFor()
  const listSubjects = async () => {
    const mails = (await (await fetch(`${platform.mailUrl}/email`)).json()) as { subject: string }[]
    return mails.map(({ subject }) => subject)
  }
  await expect.poll(listSubjects).toContain('[Test] New user: Ada Example')
})
