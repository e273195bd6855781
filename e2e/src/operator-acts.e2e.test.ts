import { expect, onTestFinished, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { addInvestor, addPendingInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

test('an investor whose account is not active is paid out by an administrator', async () => {
  const person = await addInvestor(platform, { name: 'Petra Paused', balance: 75 })
  const admin = await openAdminApi(platform)
  expect(
    (await admin.send('PATCH', `users/${person.id}/status`, { status: 'deactivate' })).status,
  ).toBe(200)
  await signIn(page, platform, LOGINS.admin)
  await openPath(`/manage/admin/users/${person.id}`)
  await page.getByRole('button', { name: 'Pay out', exact: true }).click()
  const form = page.getByRole('main')
  await expect.poll(() => form.getByLabel('Amount').inputValue()).toBe('75.00')
  await form.getByLabel('Reason').fill('The account is being closed')
  await form.getByText('$75.00 is held and waits in the transactions.').waitFor()
  await form.getByRole('button', { name: 'Request payout' }).click()
  await page
    .getByText('The payout is requested. It can be approved after it has been paid.')
    .first()
    .waitFor()
  await openPath(`/manage/admin/transactions?status=pending&q=${person.email}`)
  await page.getByRole('button', { name: 'Decline', exact: true }).first().waitFor()
  await page.getByText('$75.00').first().waitFor()
})

test('all transactions of a user are listed by the user, and the filter can be removed', async () => {
  const person = await addInvestor(platform, { name: 'Lea Listed', balance: 30 })
  await signIn(page, platform, LOGINS.admin)
  await openPath(`/manage/admin/users/${person.id}`)
  await page.getByRole('link', { name: 'View all', exact: true }).click()
  await page.waitForURL(`**/manage/admin/transactions?user=${person.id}`)
  const count = page.getByRole('status').filter({ hasText: /Record/ })
  await expect.poll(() => count.textContent()).toBe('1 Record')
  await page.getByRole('button', { name: 'Remove the filter by user: Lea Listed' }).click()
  await page.waitForURL(/\/manage\/admin\/transactions$/)
  await expect.poll(() => count.textContent()).toMatch(/^\d+ Records$/)
})

test('a testimonial of the operator replaces the samples, and says that it was rewarded', async () => {
  const sample = page.getByText(/^“I see the event behind/)
  await openPath('/')
  await sample.waitFor()
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/testimonials')
  await page.getByRole('button', { name: /^Add/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Rosa Quoted')
  await dialog.getByLabel('Quote').fill('I checked my own receipt in a minute.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // Nothing is published without a note of the consent.
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Consent').fill('By email on November 3, 2026')
  await dialog.getByLabel(/^Rewarded/).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  onTestFinished(async () => {
    await runSqlAsSuperuser(platform, `delete from platform.endorsement where name = 'Rosa Quoted'`)
  })
  await openPath('/')
  await page.getByText('I checked my own receipt in a minute.').waitFor()
  expect(await sample.count()).toBe(0)
  expect(await page.getByText('By email on November 3, 2026').count()).toBe(0)
})

test('a plan with which investors lose money is warned of, and needs no source of its return', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/plans')
  await page.getByRole('button', { name: 'Create plan' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Duration').fill('30')
  await dialog.getByLabel('Minimum deposit').fill('100')
  await dialog.getByLabel('Percentage').fill('50')
  await dialog.getByText('609% a year').waitFor()
  await dialog.getByLabel('Source of the return').waitFor()
  await dialog.getByLabel('The principal is returned at the end').uncheck()
  await dialog
    .getByText('Investors lose money with this plan: $500.00 of every $1,000.00')
    .waitFor()
  expect(await dialog.getByText('a year').count()).toBe(0)
  expect(await dialog.getByLabel('Source of the return').count()).toBe(0)
})

test('a text that could not be saved is not lost when its dialog is closed', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/faq')
  await page.getByRole('button', { name: 'Add question' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Question').fill('Is this kept?')
  await dialog.getByLabel('Answer').fill('Yes, until it is saved or discarded.')
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Add question' }).click()
  await dialog.getByText('No response received from the server.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('Discard what you entered?').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await dialog.getByLabel('Answer').inputValue()).toMatch(/^Yes, until/)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a reason for a decline stays while the panel asks whether to discard it', async () => {
  const { id } = await requestDeposit(platform, LOGINS.investor, '46')
  await signIn(page, platform, LOGINS.admin)
  await openPath(`/manage/admin/transactions?transaction=${id}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Decline', exact: true }).click()
  await panel.getByLabel('Reason').fill('The transfer did not arrive')
  await page.keyboard.press('Escape')
  await panel.getByText('Discard what you entered?').waitFor()
  expect(await panel.getByRole('button', { name: 'Decline $46.00' }).count()).toBe(0)
  await panel.getByRole('button', { name: 'Keep editing' }).click()
  expect(await panel.getByLabel('Reason').inputValue()).toBe('The transfer did not arrive')
})

test('an email template that was saved closes without a question', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/templates')
  const edit = page.getByRole('button', { name: /Edit/ }).first()
  const panel = page.getByRole('dialog')
  const subject = panel.getByLabel('Subject')
  await edit.click()
  const before = await subject.inputValue()
  await subject.fill('A stone was moved')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The template is saved.').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await edit.click()
  await subject.fill('A stone was')
  await panel.getByRole('button', { name: 'Restore default text' }).click()
  await expect.poll(() => subject.inputValue()).toBe(before)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('the header of a long list stays below the top bar while the list is scrolled', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/ledger')
  const header = page.getByRole('table').first().locator('thead')
  await page.getByRole('table').first().locator('tbody tr').nth(20).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 600)
  const readTop = () => header.evaluate((element) => element.getBoundingClientRect().top)
  await expect.poll(readTop).toBe(64)
})

/** Adds an investor whose new name waits for a review until the end of the test. */
async function addChangedName(name: string): Promise<void> {
  const { id } = await addInvestor(platform, { name, balance: 0 })
  const change = (to: string) =>
    runSqlAsSuperuser(platform, `update identity.user set pending_name = ${to} where id = '${id}'`)
  await change(`'Nora After'`)
  onTestFinished(async () => {
    await change('null')
  })
}

test('the count of changed names leads to a list of their people, which can be widened', async () => {
  await addChangedName('Nora Listed')
  const other = await addInvestor(platform, { name: 'Nora Other', balance: 0 })
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  const card = page.getByRole('region', { name: 'Needs your attention' })
  const link = card.getByRole('link', { name: /changed name/ })
  const more = card.getByRole('button', { name: /^Show all/ })
  await link.or(more).first().waitFor()
  if (await more.isVisible()) await more.click()
  await link.click()
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await rows.filter({ hasText: 'Nora Listed' }).getByText('New name', { exact: true }).waitFor()
  expect(await rows.filter({ hasNotText: 'New name' }).count()).toBe(1)

  await page.getByLabel('Name', { exact: true }).selectOption('All names')
  await page.waitForURL((url) => !url.searchParams.has('name'))
  await page.getByRole('searchbox').fill(other.email)
  const found = rows.filter({ hasText: other.email })
  await found.waitFor()
  expect(await found.getByText('New name', { exact: true }).count()).toBe(0)
})

test('the menu counts new users and changed names together', async () => {
  await addChangedName('Nora Before')
  const pending = await addPendingInvestor(platform, 'Nils New')
  const admin = await openAdminApi(platform)
  onTestFinished(async () => {
    await admin.send('PATCH', `users/${pending.id}/status`, { status: 'deny' })
  })
  const { tasks } = (await admin.get('stats/admin')).body.data
  const count = (kind: string): number =>
    tasks.find((task: { kind: string }) => task.kind === kind)?.count ?? 0
  expect(count('users')).toBeGreaterThan(0)
  expect(count('names')).toBeGreaterThan(0)
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  const both = count('users') + count('names')
  await page
    .getByRole('link', { name: new RegExp(`Manage Users.*\\b${both} pending`) })
    .first()
    .waitFor()
})

test('the menu counts the messages without an answer, until one is marked', async () => {
  const admin = await openAdminApi(platform)
  const message = { name: 'Olga Open', email: 'olga@example.com', message: 'Is this answered?' }
  expect((await admin.send('POST', 'contact', message)).status).toBe(201)
  const { open } = (await admin.get('admin/messages')).body.data.meta
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/messages')
  const findLink = (count: number) =>
    page.getByRole('navigation', { name: 'Administration' }).getByRole('link', {
      name: count === 0 ? 'Messages' : `Messages ${count} not answered`,
      exact: true,
    })
  await findLink(open).waitFor()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Olga Open' })
  await row.getByRole('button', { name: 'Mark as answered' }).click()
  await findLink(open - 1).waitFor()
})
