import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { waitForMail } from './mailbox.ts'
import { addInvestor, openAdminApi, requestDeposit, requestWithdrawal } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { runAdminCommand, SECOND } from './second-admin.ts'
import { page, platform } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { approveRequest, openAdminPage, openAs, openRequest, useTwoAdmins } from './two-admins.ts'

useTwoAdmins()

test('from the threshold on two administrators must approve, and none can approve twice', async () => {
  await openAdminPage('settings?tab=security')
  await page.getByLabel('Second approval from this amount').fill('800')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').first().waitFor()

  const { reference } = await requestDeposit(platform, LOGINS.investor, '900')
  await openAdminPage(`transactions?q=${reference}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Approve and credit/ }).click()
  await panel.getByText('1 of 2 approvals').first().waitFor()
  const own = await openRequest(page, new RegExp(reference))
  await own.getByText('You proposed this change, so another administrator must decide.').waitFor()
  await own.getByText('None given').waitFor()
  await own.getByText('$900.00 unchanged').waitFor()

  const second = await openAs(SECOND)
  await openAdminPage(`transactions?q=${reference}`, second)
  await second.getByRole('button', { name: 'Approve', exact: true }).click()
  const shown = second.getByRole('dialog')
  await shown.getByText(/^First approval by/).waitFor()
  await shown.getByText('$900.00 unchanged').waitFor()
  await shown.getByRole('button', { name: /^Approve and credit/ }).click()
  await second.getByText(/Deposit approved: /).waitFor()
})

/** Requests a withdrawal that the first administrator approves. Returns its id and its owner's. */
async function addApprovedOnce(): Promise<{ id: string; userId: string }> {
  // The money of the investor is approved by one administrator.
  await runAdminCommand(platform, ['approval-threshold', '--off'])
  const person = await addInvestor(platform)
  await runAdminCommand(platform, ['approval-threshold', '--amount', '100'])
  const { id } = await requestWithdrawal(platform, person, { wallet: 'balance', amount: 300 })
  const admin = await openAdminApi(platform)
  const path = `transactions/${id}/action/approve`
  expect((await admin.send('PATCH', path, { payoutReference: 'BATCH-7' })).status).toBe(200)
  return { id, userId: person.id }
}

test('a small window shows the button of a second approval below its details', async () => {
  const { id } = await addApprovedOnce()
  const second = await openAs(SECOND)
  await second.setViewportSize({ width: 390, height: 664 })
  await openAdminPage(`transactions?transaction=${id}`, second)
  const panel = second.getByRole('dialog')
  await panel.getByRole('button', { name: 'Approve as the second' }).click()
  const button = panel.getByRole('button', { name: /^Approve payout of/ })
  await button.waitFor()
  const isShown = (target: Locator) =>
    target.evaluate((element) => {
      const { left, top, bottom } = element.getBoundingClientRect()
      const isInside = top >= 0 && bottom <= window.innerHeight
      return isInside && element.contains(document.elementFromPoint(left + 4, bottom - 4))
    })
  await expect.poll(() => isShown(button)).toBe(true)
  const details = [panel.getByText(/^First approval by/), panel.getByText('BATCH-7')]
  for (const detail of details) {
    await detail.scrollIntoViewIfNeeded()
    expect(await isShown(detail)).toBe(true)
    expect(await isShown(button)).toBe(true)
  }
  await button.click()
  await second.getByText(/Withdrawal approved: /).waitFor()
})

test('a second approval that fails says why', async () => {
  const { id, userId } = await addApprovedOnce()
  const second = await openAs(SECOND)
  await openAdminPage(`transactions?transaction=${id}`, second)
  const panel = second.getByRole('dialog')
  await panel.getByRole('button', { name: 'Approve as the second' }).click()
  const button = panel.getByRole('button', { name: /^Approve payout of/ })
  await button.waitFor()
  await runSqlAsSuperuser(
    platform,
    `update platform.bank_account set account_number = '66' where user_id = '${userId}'`,
  )
  await button.click()
  await second.getByText(/^The bank account has changed since the request/).waitFor()
})

test('an adjustment waits for another administrator, and a second one is rejected', async () => {
  const second = await openAs(SECOND)
  const propose = async (amount: string) => {
    const { id } = await addInvestor(platform)
    await openAdminPage(`users/${id}?view=adjust`)
    await page.getByLabel('Amount').fill(amount)
    await page.getByLabel('Direction').selectOption('credit')
    await page.getByLabel('Reason').fill('A transfer that was booked twice')
    await page.getByRole('button', { name: 'Propose adjustment' }).click()
    await page.getByText('Sent for approval.').waitFor()
    await page.getByRole('link', { name: 'View the request' }).first().click()
    await page.getByRole('dialog').getByText('You proposed this change').waitFor()
  }
  await propose('810')
  await approveRequest(second, /Credit of a wallet by \$810/)
  await propose('820')
  const dialog = await openRequest(second, /Credit of a wallet by \$820/)
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByRole('button', { name: 'Reject the request' }).click()
  await dialog.getByText('Give a reason').waitFor()
  await dialog.getByLabel('Reason').fill('It was not booked twice')
  await dialog.getByRole('button', { name: 'Reject the request' }).click()
  await dialog.getByText('It was not booked twice').waitFor()
})

test('a statement of a claim is published after the approval of another administrator', async () => {
  await openAdminPage('claims')
  const open = async (on: Page) => {
    await on.getByRole('button', { name: /Rule and statement of .*support/i }).click()
    return on.getByRole('dialog')
  }
  const panel = await open(page)
  await panel.getByLabel('Hours').fill('Every day from 8 to 20 h UTC')
  await panel.getByRole('button', { name: 'Save statement' }).click()
  await panel.getByText('Sent for approval.').waitFor()
  const second = await openAs(SECOND)
  await approveRequest(second, /Public statement/)
  await openAdminPage('claims', second)
  await (await open(second)).getByText(/Approved by Sam Second/).waitFor()
})

test('assets are attested with a document by one administrator and approved by another', async () => {
  await openAdminPage('claims')
  await page.getByRole('button', { name: 'Attest assets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Attest', exact: true }).click()
  await dialog.getByText('Choose a bank statement').waitFor()
  await dialog.getByLabel('Day of the statement').fill(new Date().toISOString().slice(0, 10))
  await dialog.getByLabel('Assets').fill('123456789.01')
  const buffer = Buffer.from(await createReceiptPng().arrayBuffer())
  await dialog
    .getByLabel('Document')
    .setInputFiles({ name: 'statement.png', mimeType: 'image/png', buffer })
  await dialog.getByRole('button', { name: 'Attest', exact: true }).click()
  await dialog.getByText('Sent for approval.').waitFor()

  const second = await openAs(SECOND)
  const shown = await openRequest(second, /Attestation of assets/)
  await shown.getByText('$123,456,789.01').waitFor()
  const link = shown.getByRole('link', { name: 'Open the document' })
  const file = await second.request.get(`${platform.url}${await link.getAttribute('href')}`)
  expect(file.headers()['content-type']).toBe('image/png')
  await approveRequest(second, /Attestation of assets/)
  await openAdminPage('claims', second)
  await second.getByText(/Confirmed by Sam Second/).waitFor()
})

test('a mail template is changed, previewed, sent as a test and reset', async () => {
  await openAdminPage('templates')
  await page.getByRole('button', { name: /Edit/ }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Subject').fill('A stone was laid <b>')
  await panel.getByRole('button', { name: 'Preview' }).click()
  await panel.locator('figcaption').getByText('A stone was laid <b>').waitFor()
  expect(await panel.getByRole('button', { name: 'Send test email' }).isDisabled()).toBe(true)
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Sent for approval.').waitFor()
  const second = await openAs(SECOND)
  await approveRequest(second, /Email template/)
  await page.reload()
  await panel.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText(`A test email is being sent to ${LOGINS.admin.email}.`).waitFor()
  await waitForMail(platform.mailUrl, { to: LOGINS.admin.email, subject: /A stone was laid <b>/ })
  await panel.getByRole('button', { name: 'Restore default text' }).click()
  await panel.getByText('Sent for approval.').waitFor()
  await approveRequest(second, /Email template/)
  await page.reload()
  await expect.poll(() => panel.getByLabel('Subject').inputValue()).not.toContain('A stone')
})

test('a failed mail job is sent after a retry', async () => {
  // Inserts the row that pg-boss writes for a job whose retries have all failed.
  await runSqlAsSuperuser(
    platform,
    `insert into platform_jobs.job (name, data, source_name, source_id)
     select 'mail.send.dead', data, name, id from platform_jobs.job
     where name = 'mail.send' and state = 'completed' order by completed_on limit 1`,
  )
  await openAdminPage('jobs')
  await page.getByRole('button', { name: 'Retry Emails' }).click()
  await page.getByText('1 job runs again.').waitFor()
})

test('the page Jobs shows the releases, the database, its archive and the disks', async () => {
  await openAdminPage('jobs')
  const readFact = (name: string) =>
    page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  await readFact('Releases')
    .getByText(/^Cairn \d+\.\d+\.\d+$/)
    .waitFor()
  await readFact('Database')
    .getByText(/^PostgreSQL \d+\.\d+, .*[MG]B$/)
    .waitFor()
  await readFact('Archive of the database').getByText('The server does not archive').waitFor()
  await readFact('Replication').getByText('No standby').waitFor()
  await readFact('Disk of the ledger service')
    .getByText(/^.+B free of .+B \(\d+%\)$/)
    .waitFor()
})

test('a new payment option is offered after the second approval; a reviewer leaves a note', async () => {
  await openAdminPage('payment_options')
  await page.getByRole('button', { name: 'Add payment option' }).first().click()
  await page.getByLabel('Type').selectOption('Bank Transfer')
  await page.getByLabel('Bank or network').fill('Ridge Pay')
  await page.getByLabel('Account number or wallet address').fill('0155 0100')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Investors asked for this bank')
  await dialog.getByRole('button', { name: 'Add payment option' }).click()
  await dialog.getByText('Sent for approval.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Payment option Ridge Pay is waiting for approval.').waitFor()
  const row = page.getByRole('row', { name: /Ridge Pay/ })
  expect(await row.count()).toBe(0)
  const second = await openAs(SECOND)
  await approveRequest(second, /Payment option Ridge Pay/)
  await row.getByText('Visible').waitFor()
  // The bank is hidden again, because other tests expect one bank.
  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Visible to investors').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Hidden').waitFor()

  const { reference } = await requestDeposit(platform, LOGINS.investor, '45')
  await openAdminPage(`transactions?q=${reference}`)
  await page.getByRole('button', { name: new RegExp(`Details of .*${reference}`) }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText(/^(Write a note|\d+ notes?) about/).click()
  await panel.getByLabel('New note').fill('Asked for the sender’s name')
  await panel.getByRole('button', { name: 'Add note' }).click()
  await panel.getByText('Asked for the sender’s name').waitFor()
  await panel.getByText(/^1 note about/).waitFor()
})
