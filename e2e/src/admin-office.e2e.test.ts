import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sqlAsSuperuser } from './intruder.ts'
import { waitForMail } from './mailbox.ts'
import { addInvestor, openAdminApi, requestDeposit } from './people.ts'
import { receiptPng } from './picture.ts'
import { SECOND } from './second-admin.ts'
import { page, platform } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'
import { go, openAs, useTwoAdmins } from './two-admins.ts'

useTwoAdmins()

test('from the set amount on two administrators approve, and nobody approves twice', async () => {
  await go('settings?tab=security')
  await page.getByLabel('Second approval from this amount').fill('800')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').first().waitFor()

  const { reference } = await requestDeposit(platform, LOGINS.investor, '900')
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
  await second.getByText('No pending approvals').waitFor()
})

test('an adjustment is proposed by one, applied by another, and a second one rejected', async () => {
  const { id } = await addInvestor(platform)
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
  await panel.getByRole('button', { name: 'Save statement' }).click()
  await page.getByText('Another administrator has to approve it.').waitFor()
  await (await open(page)).getByRole('button', { name: 'Approve statement' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /administrator/ })
    .waitFor()

  const second = await openAs(SECOND)
  await go('claims', second)
  const other = await open(second)
  await other.getByRole('button', { name: 'Approve statement' }).click()
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
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('Another administrator must confirm your attestation').waitFor()

  const second = await openAs(SECOND)
  await go('claims', second)
  await second.getByText('$123,456,789.01').waitFor()
  await second.getByRole('button', { name: 'Confirm', exact: true }).click()
  await second.getByText(/Confirmed by Sam Second/).waitFor()
})

test('the words of a mail are changed, looked at, tried and taken back', async () => {
  await go('templates')
  await page.getByRole('button', { name: /Edit/ }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Subject').fill('A stone was laid <b>')
  await panel.getByRole('button', { name: 'Preview' }).click()
  await panel.locator('figcaption').getByText('A stone was laid <b>').waitFor()
  expect(await panel.getByRole('button', { name: 'Send test mail' }).isDisabled()).toBe(true)
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The mail is saved.').waitFor()
  await panel.getByRole('button', { name: 'Send test mail' }).click()
  await page.getByText(`A sample is on its way to ${LOGINS.admin.email}.`).waitFor()
  await waitForMail(platform.mailUrl, { to: LOGINS.admin.email, subject: /A stone was laid <b>/ })
  await panel.getByRole('button', { name: 'Restore default text' }).click()
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

/** Other tests choose the only mobile wallet there is. */
async function deleteOption(bank: string): Promise<void> {
  const api = await openAdminApi(platform)
  const options: { id: string; bank: string }[] = (await api.get('paymentOptions')).body.data
    .paymentOptions
  for (const { id } of options.filter((option) => option.bank === bank)) {
    expect((await api.send('DELETE', `paymentOptions/${id}`)).status).toBe(204)
  }
}

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
  await row(page).getByText('Waiting for second approval').waitFor()
  const show = async (on: Page) => {
    await row(on).getByRole('button', { name: 'Edit' }).click()
    await on.getByLabel('Visible to investors').check()
    await on.getByRole('button', { name: 'Save' }).click()
  }
  await show(page)
  await page.getByText('Another administrator must approve your change').waitFor()
  const second = await openAs(SECOND)
  await go('payment_options', second)
  await show(second)
  await row(second).getByText('Visible').waitFor()
  await deleteOption('Ridge Pay')

  const { reference } = await requestDeposit(platform, LOGINS.investor, '45')
  await go(`transactions?q=${reference}`)
  await page.getByRole('button', { name: new RegExp(`Details of .*${reference}`) }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText(/^(Write a note|\d+ notes?) about/).click()
  await panel.getByLabel('New note').fill('Asked for the sender’s name')
  await panel.getByRole('button', { name: 'Add note' }).click()
  await panel.getByText('Asked for the sender’s name').waitFor()
  await panel.getByText(/^1 note about/).waitFor()
})
