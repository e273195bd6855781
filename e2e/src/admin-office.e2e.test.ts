import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loginAs } from './api-client.ts'
import { launchBrowser } from './browser.ts'
import { sqlAsSuperuser } from './intruder.ts'
import { waitForMail } from './mailbox.ts'
import { receiptPng } from './picture.ts'
import { type Platform, startPlatform } from './platform.ts'
import { addSecondAdmin, SECOND } from './second-admin.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'
import { logIn } from './visit.ts'
import { openWatched } from './watched-window.ts'

let platform: Platform
let browser: Browser
beforeAll(async () => {
  ;[platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
  await addSecondAdmin(platform)
})
afterAll(async () => {
  await browser.close()
  await platform.remove()
})

let page: Page
beforeEach(async () => {
  page = await openAs(LOGINS.admin)
})

async function openAs(login: { email: string; password: string }): Promise<Page> {
  const opened = await openWatched(browser)
  await logIn(opened, platform.url, login)
  return opened
}

async function go(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}

async function investorId(): Promise<string> {
  const { email, password } = LOGINS.investor
  const api = await loginAs(platform.url, email, password)
  return (await api.get('users/me')).body.data.user.id
}

async function requestDeposit(amount: string): Promise<string> {
  const { email, password } = LOGINS.investor
  const api = await loginAs(platform.url, email, password)
  const form = new FormData()
  form.set('type', 'deposit')
  form.set('amount', amount)
  form.set('pay_option', 'Bank Transfer')
  form.set('receipt', receiptPng(), 'receipt.png')
  return (await api.send('POST', 'users/me/transactions', form)).body.data.transaction.reference
}

test('from the set amount on two administrators approve, and nobody approves twice', async () => {
  await go('settings?tab=security')
  await page.getByLabel('Two administrators from this amount on').fill('800')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').first().waitFor()

  const reference = await requestDeposit('900')
  await go(`transactions?q=${reference}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Approve and credit/ }).click()
  await panel.getByText('Approvals 1/2').first().waitFor()
  await go('approvals')
  await page.getByRole('row', { name: /\$900\.00.*You gave the first/ }).waitFor()

  const second = await openAs(SECOND)
  await go('approvals', second)
  const row = second.getByRole('row', { name: /\$900\.00/ })
  await row.getByRole('link', { name: 'Review' }).click()
  await second
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve and credit/ })
    .click()
  await second.getByText('Deposit approved.').waitFor()
  await go('approvals', second)
  await second.getByText('Nothing waits for a second administrator').waitFor()
})

test('an adjustment is proposed by one, applied by another, and a second one rejected', async () => {
  const id = await investorId()
  const propose = async (amount: string, reason: string) => {
    await go(`users/${id}?view=adjust`)
    await page.getByLabel('Amount').fill(amount)
    await page.getByLabel('Direction').selectOption('credit')
    await page.getByRole('button', { name: 'Propose adjustment' }).click()
    await page.getByText('Give a reason').waitFor()
    await page.getByLabel('Reason').fill(reason)
    await page.getByRole('button', { name: 'Propose adjustment' }).click()
    await page.getByText('The adjustment waits under Approvals.').waitFor()
  }
  await propose('810', 'A transfer that was booked twice')
  await propose('820', 'Another one')
  await go('approvals')
  const open = (on: Page, amount: string) =>
    on
      .getByRole('row', { name: new RegExp(amount) })
      .getByRole('button', { name: /Details of/ })
      .click()
  await open(page, '810')
  await page.getByText('another administrator has to apply it').waitFor()
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)

  const second = await openAs(SECOND)
  await go('approvals', second)
  await open(second, '810')
  await second.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await second.getByText('The adjustment is applied.').waitFor()
  await open(second, '820')
  const dialog = second.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByRole('button', { name: 'Reject the adjustment' }).click()
  await dialog.getByText('Give a reason').waitFor()
  await dialog.getByLabel('Reason').fill('It was not booked twice')
  await dialog.getByRole('button', { name: 'Reject the adjustment' }).click()
  await second.getByText('The adjustment is rejected.').waitFor()
  await open(second, '820')
  await second.getByRole('dialog').getByText('It was not booked twice').waitFor()
})

test('a statement of a claim is approved by somebody else than who made it', async () => {
  await go('claims')
  const open = async (on: Page) => {
    await on.getByRole('button', { name: /Rule and statement of .*support/i }).click()
    return on.getByRole('dialog')
  }
  const panel = await open(page)
  await panel.getByLabel('Hours').fill('Every day from 8 to 20 h UTC')
  await panel.getByRole('button', { name: 'State this' }).click()
  await page.getByText('Another administrator has to approve it.').waitFor()
  await (await open(page)).getByRole('button', { name: 'Approve the statement' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /administrator/ })
    .waitFor()

  const second = await openAs(SECOND)
  await go('claims', second)
  const other = await open(second)
  await other.getByRole('button', { name: 'Approve the statement' }).click()
  await other.getByText(/Approved by Sam Second/).waitFor()
})

test('assets are attested with a document by one administrator and confirmed by another', async () => {
  await go('claims')
  await page.getByRole('button', { name: 'Attest assets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Attest', exact: true }).click()
  await dialog.getByText('Choose the statement of the bank').waitFor()
  await dialog.getByLabel('Day of the statement').fill(new Date().toISOString().slice(0, 10))
  await dialog.getByLabel('Assets').fill('123456789.01')
  const buffer = Buffer.from(await receiptPng().arrayBuffer())
  await dialog
    .getByLabel('Document')
    .setInputFiles({ name: 'statement.png', mimeType: 'image/png', buffer })
  await dialog.getByRole('button', { name: 'Attest', exact: true }).click()
  await page.getByText('Attested. Another administrator has to confirm it.').waitFor()
  await page.getByText('Not confirmed yet.').waitFor()
  await page.getByRole('button', { name: 'Confirm as the second' }).click()
  await page.getByText('Another administrator has to confirm what you wrote down').waitFor()

  const second = await openAs(SECOND)
  await go('claims', second)
  await second.getByText('$123,456,789.01').waitFor()
  await second.getByRole('button', { name: 'Confirm as the second' }).click()
  await second.getByText(/Confirmed by Sam Second/).waitFor()
})

test('the words of a mail are changed, looked at, tried and taken back', async () => {
  await go('templates')
  await page.getByRole('button', { name: /Edit/ }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Subject').fill('A stone was laid <b>')
  await panel.getByRole('button', { name: 'Preview' }).click()
  await panel.locator('figcaption').getByText('A stone was laid <b>').waitFor()
  expect(await panel.getByRole('button', { name: 'Send me a test' }).isDisabled()).toBe(true)
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The mail is saved.').waitFor()
  await panel.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText(`A sample is on its way to ${LOGINS.admin.email}.`).waitFor()
  await waitForMail(platform.mailUrl, { to: LOGINS.admin.email, subject: /A stone was laid <b>/ })
  await panel.getByRole('button', { name: 'Back to the built-in words' }).click()
  await expect.poll(() => panel.getByLabel('Subject').inputValue()).not.toContain('A stone')
})

test('a mail that was given up is sent after a retry', async () => {
  // Whoever ran out of attempts lies in the queue of the dead, as pg-boss puts it there.
  await sqlAsSuperuser(
    platform,
    `insert into platform_jobs.job (name, data, source_name, source_id)
     select 'mail.send.dead', data, name, id from platform_jobs.job
     where name = 'mail.send' and state = 'completed' order by completed_on limit 1`,
  )
  await go('jobs')
  await page.getByRole('button', { name: 'Retry mail.send' }).click()
  await page.getByText('1 job runs again.').waitFor()
})

test('a plan is made with its payout in view, edited, and found among the archived ones', async () => {
  await go('plans')
  await page.getByRole('button', { name: 'Create Plan' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Quarry')
  await dialog.getByLabel('Duration').fill('300')
  await dialog.getByLabel('Minimum deposit').fill('100')
  await dialog.getByLabel('Percentage').fill('5')
  await dialog.getByText('7% a year').waitFor()
  await dialog.getByRole('button', { name: 'Create Plan' }).click()
  await page.getByText('Plan created.').waitFor()
  const row = page.getByRole('row', { name: /Quarry/ })
  await row.getByRole('button', { name: /Edit/ }).click()
  await dialog.getByLabel('Minimum deposit').fill('250')
  await dialog.getByRole('button', { name: 'Save Plan' }).click()
  await page.getByText('Plan updated.').waitFor()
  await page.getByRole('row', { name: /Quarry.*\$250 or more/ }).waitFor()
  await row.getByRole('button', { name: /Edit/ }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete the plan' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('Which plans').selectOption('archived')
  await row.getByRole('button', { name: /Details/ }).click()
  await dialog.getByText('It was taken off the offer.').waitFor()
})

/** 61% a year, which two administrators decide. */
async function writeSteepPlan(name: string): Promise<void> {
  await go('plans')
  await page.getByRole('button', { name: 'Create Plan' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Duration').fill('30')
  await dialog.getByLabel('Minimum deposit').fill('100')
  await dialog.getByLabel('Percentage').fill('5')
  await dialog.getByLabel('Source of the return').fill('Rent of three houses')
  await dialog.getByRole('button', { name: 'Create Plan' }).click()
  await page.getByText('1 waiting').waitFor()
}

const openPlan = (on: Page, name: RegExp) =>
  on.getByRole('row', { name }).getByRole('button').click()

test('a plan with a high return names its source and waits for the second administrator', async () => {
  await writeSteepPlan('Summit')
  const dialog = page.getByRole('dialog')
  const open = (on: Page) => openPlan(on, /Summit/)
  await page.getByLabel('Which plans').selectOption('waiting')
  await open(page)
  await dialog.getByRole('button', { name: 'Approve the plan' }).click()
  await dialog.getByText('Another administrator has to approve what you wrote').waitFor()

  const second = await openAs(SECOND)
  await go('plans?show=waiting', second)
  await open(second)
  await second.getByRole('dialog').getByText('Rent of three houses').waitFor()
  await second.getByRole('button', { name: 'Approve the plan' }).click()
  await second.getByText('The plan is on offer.').waitFor()
  await second.getByLabel('Which plans').selectOption('offered')
  await second.getByRole('row', { name: /Summit.*source given/ }).waitFor()
})

test('a plan that waits is rejected by the second administrator, and is on no list of what waits', async () => {
  await writeSteepPlan('Gorge')
  const second = await openAs(SECOND)
  await go('plans?show=waiting', second)
  await openPlan(second, /Gorge/)
  await second.getByRole('button', { name: 'Reject', exact: true }).click()
  await second.getByText('The plan is archived and can no longer be approved.').waitFor()
  await second.getByRole('button', { name: 'Reject the plan' }).click()
  await second.getByText('No plan waits').waitFor()
  await second.getByLabel('Which plans').selectOption('archived')
  await openPlan(second, /Gorge/)
  await second.getByRole('dialog').getByText('It was taken off the offer.').waitFor()
  expect(await second.getByRole('button', { name: 'Approve the plan' }).count()).toBe(0)
})

test('where money is paid to is shown by the other administrator; a reviewer leaves a note', async () => {
  await changeSettings(platform, 'security', { approvalThreshold: 800 })
  await go('payment_options')
  await page.getByRole('button', { name: 'Add Payment Option' }).first().click()
  await page.getByLabel('Type').selectOption('Mobile Wallet')
  await page.getByLabel('Bank or network').fill('Ridge Pay')
  await page.getByLabel('Account number or wallet address').fill('0155 0100')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Option' }).click()
  await page.getByText(/hidden until another administrator/).waitFor()
  const row = (on: Page) => on.getByRole('row', { name: /Ridge Pay/ })
  await row(page).getByText('Waits for a second administrator').waitFor()
  const show = async (on: Page) => {
    await row(on).getByRole('button', { name: 'Edit' }).click()
    await on.getByLabel('Visible to investors').check()
    await on.getByRole('button', { name: 'Save' }).click()
  }
  await show(page)
  await page.getByText('Another administrator has to show what you entered').waitFor()
  const second = await openAs(SECOND)
  await go('payment_options', second)
  await show(second)
  await row(second).getByText('Visible').waitFor()

  const reference = await requestDeposit('45')
  await go(`transactions?q=${reference}`)
  await page.getByRole('button', { name: new RegExp(`Details of .*${reference}`) }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText(/^(Write a note|\d+ notes?) about/).click()
  await panel.getByLabel('New note').fill('Asked for the sender’s name')
  await panel.getByRole('button', { name: 'Add note' }).click()
  await panel.getByText('Asked for the sender’s name').waitFor()
  await panel.getByText(/^1 note about/).waitFor()
})

test('an administrator is invited by one, approved by another, and sets the first password', async () => {
  await changeSettings(platform, 'security', { approvalThreshold: 800 })
  const email = 'third.admin@cairn.example'
  await go('users')
  await page.getByRole('button', { name: 'Invite an administrator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Thea Third')
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await page.getByText(/Thea Third waits until another administrator/).waitFor()
  const open = async (on: Page) => {
    await go('users?q=third.admin', on)
    await on.getByRole('button', { name: 'Details' }).click()
    await on.getByRole('button', { name: 'Approve' }).click()
  }
  await open(page)
  await page.getByText('Another administrator has to approve whom you invited').waitFor()
  await open(await openAs(SECOND))
  const { text } = await waitForMail(platform.mailUrl, { to: email, subject: /administrator/ })
  const path = /\/users\/resetPassword\?token=\S+/.exec(text)?.[0] ?? ''
  const fresh = await openWatched(browser)
  await fresh.goto(`${platform.url}${path.replace(/[)\]]$/, '')}`)
  const password = 'three stones on a hill'
  await fresh.getByLabel('New password').fill(password)
  await fresh.getByLabel('Confirm password').fill(password)
  await fresh.getByRole('button', { name: 'Create the account' }).click()
  await fresh.waitForURL(/\/users\/login/)
  const third = await openAs({ email, password })
  await go('users', third)
  await third.getByRole('heading', { name: 'Manage Users' }).waitFor()
})

test('a second factor that was lost is reset for a proof that stays in the audit trail', async () => {
  const { email } = LOGINS.investor
  const id = await investorId()
  const on = `update identity.user set mfa_enabled_at = now() where email = '${email}'`
  await sqlAsSuperuser(platform, on)
  await go(`users/${id}`)
  await page.getByRole('button', { name: 'Reset two-factor authentication' }).click()
  await page.getByRole('button', { name: 'Reset it' }).click()
  await page.getByText('Give a reason').waitFor()
  const proof = 'Called back on the number we know'
  await page.getByLabel('How do you know that it is them?').fill(proof)
  await page.getByRole('button', { name: 'Reset it' }).click()
  await page.getByText('Two-factor authentication is reset.').waitFor()
  await page
    .getByRole('button', { name: 'Reset two-factor authentication' })
    .waitFor({ state: 'detached' })
  await go('audit?action=user.reset-mfa')
  await page.getByText(proof).waitFor()
  await sqlAsSuperuser(
    platform,
    `update identity.user set credential_hold_until = null where email = '${email}'`,
  )
})

test('one session of a user is ended, and the others stay', async () => {
  const { email, password } = LOGINS.investor
  const [one, other] = [
    await loginAs(platform.url, email, password),
    await loginAs(platform.url, email, password),
  ]
  const isIn = async (api: typeof one) => (await api.get('users/me')).status === 200
  await go(`users/${await investorId()}?tab=sessions`)
  const ends = page.getByRole('button', { name: /^End / }).filter({ hasNotText: 'all' })
  await expect.poll(() => ends.count()).toBeGreaterThan(1)
  const before = await ends.count()
  expect([await isIn(one), await isIn(other)]).toEqual([true, true])
  await ends.first().click()
  await expect.poll(() => ends.count()).toBe(before - 1)
})
