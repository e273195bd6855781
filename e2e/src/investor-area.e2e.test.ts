import { readFile } from 'node:fs/promises'
import type { WalletName } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { beforeAll, expect, test } from 'vitest'
import { DEMO_PLANS } from '../../local/src/demo/plans.ts'
import { waitForMail } from './mailbox.ts'
import { addInvestor, openAdminApi, type Person, requestDeposit, signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { computeTotp } from './totp.ts'
import { fillLogin } from './visit.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()
let investor: Person
beforeAll(async () => {
  investor = await addInvestor(platform, { name: 'Ivy Area' })
  const { id } = await requestDeposit(platform, investor, '250')
  await (await openAdminApi(platform)).send('PATCH', `transactions/${id}/action/approve`)
})

test.each([
  { title: 'that has read its user', lateRead: /never$/ },
  { title: 'that is still reading its user', lateRead: /\/users\/me$/ },
])('a page $title keeps its input when the session ends, and continues', async ({ lateRead }) => {
  await signIn(page, platform, investor)
  let answerLateRead = () => {}
  const answered = new Promise<void>((resolve) => {
    answerLateRead = resolve
  })
  await page.route(lateRead, async (route) => {
    await answered
    await route.fallback()
  })
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByLabel('Amount').fill('12.34')
  await page.getByLabel('Bank account').selectOption({ index: 1 })
  await page.context().clearCookies()
  // A background read can find the end of the session first, so the dialog can cover the button.
  await page
    .getByRole('button', { name: 'Request withdrawal', includeHidden: true })
    .dispatchEvent('click')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has ended.').waitFor()
  answerLateRead()
  if (await dialog.getByLabel('Email').isEditable()) {
    await dialog.getByLabel('Email').fill(investor.email)
  }
  await dialog.getByLabel('Password', { exact: true }).fill(investor.password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('12.34')
  await page.getByRole('button', { name: 'Request withdrawal' }).click()
  await page.getByText('Withdrawal Requested!').waitFor()
})

test('a receipt of a transaction is verified offline, and a changed amount is detected', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/transactions?type=deposit')
  await page
    .getByRole('button', { name: /Details of Deposit/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Download the ledger receipt' }).waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('This receipt matches the signed ledger.').waitFor()
  await page.getByText('Your Wallet Balance', { exact: true }).waitFor()
  await page
    .getByText(/amounts of the raw record add up to zero\. There, money that the platform receives/)
    .waitFor()
  await page.getByText('In effect since', { exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the ledger receipt' }).click(),
  ])
  const receipt = await readFile(await download.path(), 'utf8')

  await openPath('/verify')
  const paper = page.getByLabel('Receipt', { exact: true })
  await paper.fill(receipt)
  // The button is enabled when the page has the keys of the ledger.
  await expect.poll(() => page.getByRole('button', { name: 'Verify' }).isEnabled()).toBe(true)
  // The loaded page must verify a receipt without a network connection.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('This receipt matches the signed ledger.').waitFor()
  // The receipt names no reader.
  await page.getByText('The investor’s Wallet Balance', { exact: true }).waitFor()

  const line = receipt.split('\n')[1] ?? ''
  const event = Buffer.from(line.slice('extra '.length), 'base64').toString()
  const richer = event.replace(/"amountMinor":"(\d+)"/, '"amountMinor":"1$1"')
  expect(richer).not.toBe(event)
  await page.setViewportSize({ width: 390, height: 844 })
  await paper.fill(receipt.replace(line, `extra ${Buffer.from(richer).toString('base64')}`))
  await page.getByRole('button', { name: 'Verify' }).click()
  const verdict = page.getByText(/does not match the ledger:.* event [\d,]+ of the signed ledger:/)
  await verdict.waitFor()
  // The whole result is in the window, above the bar of the demo with its 28 px.
  const readEnd = async () => {
    const box = await verdict.boundingBox()
    return (box?.y ?? Infinity) + (box?.height ?? 0)
  }
  await expect.poll(readEnd).toBeLessThan(844 - 28)
  await page.context().setOffline(false)
})

test('an open page shows new events without a reload', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/transactions')
  const badge = page
    .getByRole('row')
    .filter({ hasText: 'Withdrawal' })
    .getByText('Declined')
    .first()
  const request = page.getByRole('button', { name: /Details of Withdrawal/ }).first()
  await request.waitFor()
  const office = await openWatched(browser)
  await signIn(office, platform, LOGINS.admin)
  await office.goto(
    `${platform.url}/manage/admin/transactions?status=pending&type=withdrawal&q=${investor.email}`,
  )
  await office.getByRole('button', { name: 'Decline', exact: true }).first().click()
  await office.getByLabel('Reason').fill('The name of the account differs')
  await office
    .getByRole('button', { name: /^Decline/ })
    .last()
    .click()
  await badge.waitFor()
  await page.getByRole('button', { name: /Notifications, \d+ unread/ }).waitFor()
})

test('the profile, preferences and a message are saved', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/settings')
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Name is required').waitFor()
  await page.getByLabel('Name').fill('Ivy Morgan-Lee')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Profile updated successfully').waitFor()
  await openPath('/manage/investor/settings?tab=notifications')
  const market = page.getByRole('switch', { name: 'Market updates' })
  await expect.poll(() => market.getAttribute('aria-checked')).toBe('false')
  await market.click()
  await page.getByRole('switch', { name: 'Market updates', checked: true }).waitFor()
  await page.reload()
  await page.getByRole('switch', { name: 'Market updates', checked: true }).waitFor()
  await openPath('/contact_us')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Message').fill('When is the next plan on offer?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await page.getByText('Your message was received').waitFor()
})

test('dates follow the time zone and language of the account in every browser', async () => {
  const timeZone = 'Pacific/Kiritimati'
  await signIn(page, platform, investor)
  await openPath('/manage/investor/settings?tab=preferences')
  for (const [label, value] of [
    ['Date format', 'de-DE'],
    ['Time zone', timeZone],
    ['Charts open on', '1Y'],
  ] as const) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByLabel(label).selectOption(value)
    expect((await saved).ok()).toBe(true)
  }
  const elsewhere = await openWatched(browser)
  await signIn(elsewhere, platform, investor)
  await openPath('/manage/investor/dashboard', elsewhere)
  await elsewhere.getByRole('button', { name: '1Y', pressed: true }).waitFor()
  await elsewhere.goto(`${platform.url}/manage/investor/transactions?status=success`)
  await elsewhere.getByText(`Times in ${timeZone}.`).waitFor()
  const time = elsewhere.locator('tbody time').first()
  const at = (await time.getAttribute('datetime')) ?? ''
  const day = new Date(Date.parse(at) + 14 * 3_600_000).toISOString().slice(0, 10)
  const written = new Intl.DateTimeFormat('de-DE', { timeZone, dateStyle: 'medium' })
  // Only the day is compared, because `dateStyle` writes the month as a number, but the site writes
  // the name of the month.
  const dayOfMonth = written.format(new Date(at)).split('.')[0]
  await expect
    .poll(() => time.textContent())
    .toMatch(new RegExp(`^${Number(dayOfMonth)}\\. \\p{L}+\\.? `, 'u'))

  await elsewhere.getByLabel('Date', { exact: true }).selectOption('custom')
  await elsewhere.getByLabel('From', { exact: true }).fill(day)
  await elsewhere.locator('a[href*="from="]').waitFor()
  await elsewhere.getByLabel('To', { exact: true }).fill(day)
  await elsewhere.waitForURL(/until=/)
  await elsewhere.locator(`tbody time[datetime="${at}"]`).first().waitFor()
  const whole = elsewhere.locator('a[href*="&to="]').filter({ hasText: 'Export' })
  const csv = await whole.getAttribute('href')
  // The time zone is UTC+14, so its midnight is 10:00 UTC on the previous day.
  expect(csv).toMatch(/from=[^&]+T10%3A00%3A00\.000Z&to=[^&]+T10%3A00%3A00\.000Z/)
})

test('a transaction shows the balance after it, a request shows its expected review time', async () => {
  await signIn(page, platform, investor)
  await openPath('/manage/investor/transactions?status=success')
  const { transactions } = await page.evaluate(async () => {
    const response = await fetch('/api/v1/users/me/transactions?status=success&limit=20')
    return (await response.json()).data
  })
  await page.locator('tbody time').first().waitFor()
  const shown = await page.locator('tbody tr').allTextContents()
  expect(shown.length).toBeGreaterThan(1)
  for (const [index, { balanceAfter }] of transactions.entries()) {
    const amount = balanceAfter.amount.toLocaleString('en-US', { minimumFractionDigits: 2 })
    expect(shown[index]).toContain(`${WALLET_LABELS[balanceAfter.wallet as WalletName]}$${amount}`)
  }
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByText(/reviewed by people/i).waitFor()
})

test('a purchase is named by its plan, in the list and in its details', async () => {
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/transactions?type=transfer')
  const row = page.getByRole('row').filter({ hasText: 'Invested in' }).first()
  const title = (await row.getByText('Invested in').textContent()) ?? ''
  const plans = DEMO_PLANS.map(({ name }) => `Invested in ${name}`)
  expect(plans).toContain(title)
  await row.click()
  await page.getByRole('dialog').getByRole('definition').getByText(title, { exact: true }).waitFor()
})

test('a forgotten password is reset by mail; a second factor is set up and required', async () => {
  await openPath('/users/forgotPassword')
  await page.getByLabel('Email').fill(investor.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(/we are sending a link/).waitFor()
  const mail = await waitForMail(platform.mailUrl, { to: investor.email, subject: /password/i })
  const token = /resetPassword#token=([\w-]+)/.exec(mail.text)?.[1]
  await openPath(`/users/resetPassword#token=${token}`)
  const password = 'a quite new passphrase'
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill('another one')
  await page.getByRole('button', { name: 'Set the new password' }).click()
  await page.getByText('Passwords do not match').waitFor()
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Set the new password' }).click()
  await page.getByText('Your password was changed. Please log in again.').waitFor()
  await fillLogin(page, { email: investor.email, password })
  await page.waitForURL(/\/manage\//)

  await openPath('/manage/investor/settings?tab=security')
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Start setup' }).click()
  const secret = ((await page.locator('code').textContent()) ?? '').trim()
  await page.getByLabel('Code from the app').fill(computeTotp(secret, await platform.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  const recovery = ((await codes.first().textContent()) ?? '').trim()
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
  await page.getByLabel(/I have stored these codes/).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Recovery codes left').waitFor()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(/\/users\/login/)
  await fillLogin(page, { email: investor.email, password })
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Code', { exact: true }).and(page.locator('[aria-invalid]')).waitFor()
  await page.getByLabel('Code', { exact: true }).fill(recovery)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/\/manage\/investor\/dashboard/)
})
