import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createApiClient } from './api-client.ts'
import { runLedger, runSqlAsSuperuser } from './intruder.ts'
import { requestDeposit, signIn } from './people.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { changeSettings } from './site-settings.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

beforeEach(() => signIn(page, platform, LOGINS.admin))

async function openAdminPage(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}

test('one deposit is approved with the received amount, another is declined with a reason', async () => {
  const { reference: arrived } = await requestDeposit(platform, LOGINS.investor, '250')
  await openAdminPage(`transactions?q=${arrived}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('img', { name: /Payment proof/ }).waitFor()
  await panel.getByLabel('Received amount, if different').fill('240.50')
  await panel.getByRole('button', { name: 'Approve and credit the received amount' }).click()
  await page.getByText(/Deposit approved: /).waitFor()
  await panel.getByText('$250.00', { exact: true }).waitFor()
  await panel.getByText('$240.50').first().waitFor()
  await panel.getByText('Approved', { exact: true }).waitFor()

  const { reference: refused } = await requestDeposit(platform, LOGINS.investor, '75')
  await openAdminPage(`transactions?q=${refused}`)
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await panel.getByText('Proof uploaded with another deposit').waitFor()
  await panel.getByRole('button', { name: 'Decline $75.00' }).click()
  await panel.getByText('Give a reason').waitFor()
  await panel.getByLabel('Reason').fill('The receipt was sent twice')
  await panel.getByRole('button', { name: 'Decline $75.00' }).click()
  await page.getByText(/Deposit declined: /).waitFor()
  await panel.getByText('The receipt was sent twice').waitFor()
})

test('settings are saved, and a second save from an older page is a conflict that says what differs', async () => {
  const other = await openWatched(browser)
  await signIn(other, platform, LOGINS.admin)
  await openAdminPage('settings?tab=payment')
  await openAdminPage('settings?tab=payment', other)
  await other.getByLabel('Minimum deposit').waitFor()
  await page.getByLabel('Minimum deposit').fill('25')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').waitFor()
  await page.getByText('Settings saved successfully!').waitFor({ state: 'hidden' })

  await other.getByLabel('Minimum deposit').fill('30')
  await other.getByRole('button', { name: 'Save Settings' }).click()
  const dialog = other.getByRole('dialog', { name: 'Settings changed by another administrator' })
  await dialog.getByRole('row', { name: 'Minimum deposit 25 30' }).waitFor()
  await dialog.getByRole('button', { name: 'Use saved settings' }).click()
  await expect.poll(() => other.getByLabel('Minimum deposit').inputValue()).toBe('25')
  await changeSettings(platform, 'payment', { minDeposit: 10 })
})

test('settings that are read again in an open form are still a conflict', async () => {
  await openAdminPage('settings?tab=payment')
  await page.getByLabel('Minimum deposit').waitFor()
  await changeSettings(platform, 'payment', { minWithdrawal: 25 })
  let reads = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/admin/settings')) reads += 1
  })
  // A page that runs again after it was frozen reads all queries again.
  const thaw = () =>
    page.evaluate(() => {
      document.dispatchEvent(new Event('freeze'))
      document.dispatchEvent(new Event('resume'))
    })
  // Each time cancels the read of the time before, so the interval leaves time for an answer.
  await expect.poll(() => thaw().then(() => reads), { interval: 3_000 }).toBeGreaterThan(0)
  await page.getByLabel('Minimum deposit').fill('30')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings changed by another administrator' })
  await dialog.getByRole('row', { name: 'Minimum withdrawal 25 10' }).waitFor()
  await dialog.getByRole('button', { name: 'Keep my changes' }).click()
  await expect.poll(() => page.getByLabel('Minimum withdrawal').inputValue()).toBe('25')
  expect(await page.getByLabel('Minimum deposit').inputValue()).toBe('30')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved successfully!').waitFor()
  await changeSettings(platform, 'payment', { minDeposit: 10, minWithdrawal: 10 })
})

test('the result of a save is in the window, also at the end of the page', async () => {
  await page.setViewportSize({ width: 1_280, height: 600 })
  await openAdminPage('settings?tab=payment')
  await page.getByLabel('Minimum deposit').fill('0')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  const result = page.getByRole('alert').filter({ hasText: 'Nothing was saved.' })
  await result.waitFor()
  for (const isAtEnd of [false, true]) {
    await page.evaluate((end) => scrollTo(0, end ? document.body.scrollHeight : 0), isAtEnd)
    const box = await result.boundingBox()
    expect(box?.y).toBeGreaterThan(64)
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(600)
  }
})

test('the settings name who changed them last, and the audit log lists the acts of one person', async () => {
  await changeSettings(platform, 'payment', { minDeposit: 12 })
  await openAdminPage('settings')
  await page.getByText(/^Last changed by /).waitFor()
  await page.getByRole('link', { name: 'History of the settings' }).click()
  await page
    .getByText(/changed the settings/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()

  const person = page.getByLabel('Person')
  await expect.poll(() => person.getByRole('option').count()).toBeGreaterThan(1)
  const [, name = ''] = await person.getByRole('option').allTextContents()
  await person.selectOption({ label: name })
  await page.waitForURL((url) => url.searchParams.has('actor'))
  await page.getByLabel('Action').selectOption({ label: 'Change the settings' })
  await page.getByText(`${name} changed the settings`).first().waitFor()

  await page
    .getByRole('button', { name: /changed the settings.*Details$/ })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('columnheader', { name: 'Before' }).waitFor()
  await panel.getByRole('link', { name: `All actions by ${name}` }).click()
  await panel.waitFor({ state: 'hidden' })
  await changeSettings(platform, 'payment', { minDeposit: 10 })
})

test('an allow list without the own address needs a confirmation', async () => {
  await openAdminPage('settings?tab=security')
  await page.getByLabel('IP addresses allowed in the admin area').fill('203.0.113.7')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Risk of lockout' })
  await dialog.getByText('127.0.0.1').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Every address is allowed.').waitFor()
  await page.reload()
  await page.getByText('Every address is allowed.').waitFor()
})

test('while one administrator decides, pages say so and forms ask for no reason', async () => {
  await openAdminPage('payment_options')
  const mode = page.getByRole('link', { name: 'One administrator can approve alone. Require two' })
  await mode.waitFor()
  await page.getByRole('button', { name: 'Add payment option' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bank or network').waitFor()
  expect(await dialog.getByLabel('Reason').count()).toBe(0)
  await page.keyboard.press('Escape')
  await mode.click()
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  await page.getByText(/^Two administrators are required as soon as two/).waitFor()
})

test('a question is added and read by visitors', async () => {
  await openAdminPage('faq')
  await page.getByRole('button', { name: 'Add question' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Question').fill('How high is the hill?')
  await dialog.getByLabel('Answer').fill('As high as its stones.')
  await dialog.getByRole('button', { name: 'Add question' }).click()
  await page.getByText('How high is the hill?').waitFor()
  await page.goto(`${platform.url}/faqs`)
  await page.getByText('How high is the hill?').waitFor()
})

test('a running investment is denied with a reason', async () => {
  await openAdminPage('investments?status=active')
  // Investments of the demo investor are excluded, because tests in other files count them.
  await page
    .getByRole('row')
    .filter({ hasNotText: LOGINS.investor.email })
    .getByRole('button', { name: /Details of/ })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Deny', exact: true }).click()
  await panel.getByLabel('Reason').fill('The terms were mistyped')
  await panel.getByRole('button', { name: 'Deny the investment' }).click()
  await page.getByText('The investment is denied.').waitFor()
  await panel.getByText('The terms were mistyped').waitFor()
})

test('an auditor verifies a withdrawal on the page and with the command, and sees a changed row', async () => {
  await openAdminPage('ledger')
  await page.getByLabel('Type').selectOption('WithdrawalApproved')
  await page.getByRole('button', { name: 'Search' }).click()
  await page
    .getByRole('row', { name: /Withdrawal approved/ })
    .first()
    .click()
  await page.getByText('Verified in your browser.').waitFor()
  await page.getByText('Requested', { exact: true }).waitFor()
  const seq = /ledger\/(\d+)/.exec(page.url())?.[1] ?? ''

  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the ledger receipt' }).click()
  const file = join(platform.dataDir, `event-${seq}.tlog-proof`)
  await (await waiting).saveAs(file)
  const { body } = await createApiClient(platform.url).get('public/log-key')
  const key: string = body.data.verifierKeys.at(-1)
  const verified = await runLedger(platform, ['verify-receipt', file, '--key', key])
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.output).toContain(`verified: event ${seq}`)
  expect(await runLedger(platform, ['verify'])).toMatchObject({ code: 0 })

  // The page of an event also lists the event with which the withdrawal was requested.
  const request = page.getByRole('listitem').filter({ hasText: 'Requested by' })
  await request.getByRole('link').click()
  await page.getByRole('heading', { name: /Withdrawal requested/ }).waitFor()
  await page.getByText('Verified in your browser.').waitFor()

  await replaceInEvent(seq, '"cash":"', '"cash":"x')
  await openAdminPage(`ledger/${seq}`)
  await page.getByText(`Event ${seq} does not match the signed ledger.`).waitFor()
  const whole = await runLedger(platform, ['verify'])
  expect(whole.code).toBe(1)
  expect(whole.output).toContain(`event ${seq}`)

  const forged = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the ledger receipt' }).click()
  await (await forged).saveAs(file)
  expect(await readFile(file, 'utf8')).toContain(`index ${seq}`)
  const refused = await runLedger(platform, ['verify-receipt', file, '--key', key])
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(`event ${seq}`)

  await replaceInEvent(seq, '"cash":"x', '"cash":"')
  expect(await runLedger(platform, ['verify'])).toMatchObject({ code: 0 })
})

/**
 * Changes the recorded bytes of an event while the triggers are disabled, as a superuser can do.
 */
async function replaceInEvent(seq: string, from: string, to: string): Promise<void> {
  await runSqlAsSuperuser(
    platform,
    `alter table ledger.event disable trigger all;
     update ledger.event set bytes = convert_to(
       replace(convert_from(bytes, 'utf8'), '${from}', '${to}'), 'utf8')
     where ledger_id = 1 and seq = ${seq};
     alter table ledger.event enable always trigger event_append_only`,
  )
}
