import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { listMails, waitForMail } from './mailbox.ts'
import { addInvestor, signIn } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'
import { fillLogin } from './visit.ts'

useSharedSite()

const HOUR_MS = 3_600_000

async function waitForCode(to: string, subject: RegExp): Promise<string> {
  const { text } = await waitForMail(platform.mailUrl, { to, subject })
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

async function createPicture(bytes?: number) {
  const png = Buffer.from(await createReceiptPng().arrayBuffer())
  const buffer = bytes === undefined ? png : Buffer.concat([png, Buffer.alloc(bytes)])
  return { name: 'me.png', mimeType: 'image/png', buffer }
}

test('an expired password is replaced during the login, and the old one no longer works', async () => {
  const { email, password } = await addInvestor(platform, { balance: 0 })
  const renewed = 'another hill to walk'
  await runSqlAsSuperuser(
    platform,
    `update identity.user set password_changed_at = now() - interval '91 days' where email = '${email}'`,
  )
  await openPath('/users/login?redirectTo=%2Fmanage%2Finvestor%2Ftransactions')
  await fillLogin(page, { email, password })
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  const readStatus = () =>
    page.evaluate(() => fetch('/api/v1/users/me/banks').then(({ status }) => status))
  expect(await readStatus()).toBe(403)
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('Confirm password').fill('short')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Password must be at least 8 characters').waitFor()
  await page.getByLabel('New password').fill(renewed)
  await page.getByLabel('Confirm password').fill(renewed)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.waitForURL(/\/manage\/investor\/transactions$/)

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(/\/users\/login/)
  await fillLogin(page, { email, password })
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await fillLogin(page, { email, password: renewed })
  await page.waitForURL(/\/manage\/investor\/dashboard/)
})

test('a photo is uploaded, shown in the top bar and removed; another file type is refused', async () => {
  await signIn(page, platform, await addInvestor(platform, { name: 'Lena Photo', balance: 0 }))
  await openPath('/manage/investor/settings?tab=profile')
  const top = page.getByRole('button', { name: 'Account of Lena Photo' }).locator('img')
  const input = page.getByLabel('Add a photo')
  await input.setInputFiles(await createPicture(2 * 1024 * 1024))
  await page.getByText('The file is larger than 2 MB').waitFor()
  const text = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') }
  await input.setInputFiles(text)
  await page.getByText(/PNG or JPG/).waitFor()
  expect(await top.count()).toBe(0)
  await input.setInputFiles(await createPicture())
  await top.waitFor()
  await page.reload()
  await top.waitFor()
  const readWidth = () => top.evaluate((img: HTMLImageElement) => img.naturalWidth)
  await expect.poll(readWidth).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await top.waitFor({ state: 'detached' })
  await page.getByLabel('Add a photo').waitFor()
})

test('a new email takes effect after its code is entered, and the old address gets a notice', async () => {
  const { email: before, password, id } = await addInvestor(platform, { balance: 0 })
  const after = `${id}@example.com`
  await signIn(page, platform, { email: before, password })
  await openPath('/manage/investor/settings?tab=profile')
  await page.getByLabel('Email').fill('iris@example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Invalid email address').waitFor()
  await page.getByLabel('Email').fill(after)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Confirm your new email' }).waitFor()
  const code = await waitForCode(after, /new .* email/)
  const boxes = page.getByLabel('Six-digit code')
  await boxes.fill(code === '000000' ? '000001' : '000000')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Confirm the email' }).click()
  await boxes.and(page.locator('[aria-invalid]')).waitFor()
  await expect.poll(() => boxes.inputValue()).toBe('')
  // A pasted code must replace the typed digits.
  await boxes.pressSequentially('123456')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    ` ${code.slice(0, 3)} ${code.slice(3)} `,
  )
  await page.keyboard.press('Control+v')
  await expect.poll(() => boxes.inputValue()).toBe(code)
  await page.getByRole('button', { name: 'Confirm the email' }).click()
  await page.getByText('Your new email is confirmed.').waitFor()
  await waitForMail(platform.mailUrl, { to: before, subject: /address was changed/ })
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(/\/users\/login/)
  await fillLogin(page, { email: after, password })
  await page.waitForURL(/\/manage\//)
})

test('keeping the old email, or saving another field, keeps what was changed elsewhere', async () => {
  const investor = await addInvestor(platform, { name: 'Anna Smith', balance: 0 })
  await signIn(page, platform, investor)
  await openPath('/manage/investor/settings?tab=profile')
  await page.getByLabel('Name').fill('Anna Jones')
  await page.getByLabel('Email').fill(`new-${investor.email}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your new name “Anna Jones” is waiting').waitFor()
  await page.getByRole('button', { name: `Keep ${investor.email}` }).click()
  await page.getByRole('heading', { name: 'Confirm your new email' }).waitFor({ state: 'detached' })
  await page.getByText('Your new name “Anna Jones” is waiting').waitFor()
  await runSqlAsSuperuser(
    platform,
    `update identity.user set pending_name = null, country = 'FR' where email = '${investor.email}'`,
  )
  // The open form still shows the old values, and must not send them.
  await page.getByLabel('Phone').fill('+44 20 7946 0999')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const readStored = async () => {
    const [row] = await runSqlAsSuperuser(
      platform,
      `select phone, pending_name as name, country from identity.user
       where email = '${investor.email}'`,
    )
    return row
  }
  const phone = '+44 20 7946 0999'
  await expect.poll(readStored).toEqual({ phone, name: null, country: 'FR' })
})

test('a bank account can be used after its mailed code and the cooling time, and can be removed', async () => {
  const investor = await addInvestor(platform, { hasBank: false })
  const { email, name } = investor
  await changeSettings(platform, 'security', { bankCoolingHours: 24 })
  await signIn(page, platform, investor)
  await openPath('/manage/investor/transactions?banks=open')
  await page.getByRole('button', { name: 'Add a bank account' }).click()
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.getByText('Bank name is required').waitFor()
  await page.getByLabel('Bank name').fill('Hill Bank')
  await page.getByLabel('Account number').fill('12345678')
  await page.getByLabel('Account name').fill(name)
  await page.getByRole('button', { name: 'Save account' }).click()
  const row = page.getByRole('listitem').filter({ hasText: '•••• 5678' })
  await row.getByText('Not confirmed').waitFor()
  const code = await waitForCode(email, /bank account/)
  const boxes = row.getByLabel('Code for Hill Bank')
  await boxes.fill(code === '000000' ? '000001' : '000000')
  await row.getByRole('button', { name: 'Confirm' }).click()
  await boxes.and(page.locator('[aria-invalid]')).waitFor()
  await boxes.fill(code)
  await row.getByRole('button', { name: 'Confirm' }).click()
  await row.getByText('Waiting period').waitFor()
  await openPath('/manage/investor/withdrawal?source=balance')
  const option = page.getByRole('option', { name: /Hill Bank/ })
  await expect.poll(() => option.textContent()).toContain('waiting period')
  expect(await option.isDisabled()).toBe(true)

  await platform.moveClock(24 * HOUR_MS)
  await changeSettings(platform, 'security', { bankCoolingHours: 0 })
  await signIn(page, platform, investor)
  await openPath('/manage/investor/transactions?banks=open')
  await row.getByText('Active').waitFor()
  await row.getByRole('button', { name: /^Remove Hill Bank/ }).click()
  await row.getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })
})

test('the code form of a bank account that was confirmed in another tab disappears', async () => {
  const investor = await addInvestor(platform, { hasBank: false })
  await changeSettings(platform, 'security', { bankCoolingHours: 24 })
  const api = await logInAs(platform.url, investor.email, investor.password)
  const bank = { bankName: 'Hill Bank', accountNumber: '12345678', accountName: investor.name }
  await api.send('POST', 'users/me/banks', { ...bank, accountType: 'Others' })
  const [account] = (await api.get('users/me/banks')).body.data.accounts
  await signIn(page, platform, investor)
  // Without live updates, only the button reads the accounts again.
  await page.route('**/api/v1/events?*', (route) => route.abort())
  await openPath('/manage/investor/transactions?banks=open')
  const send = page.getByRole('button', { name: 'Send a new code' })
  await send.waitFor()
  const code = await waitForCode(investor.email, /bank account/)
  const path = `users/me/banks/${account.id}/confirm`
  expect((await api.send('POST', path, { code })).status).toBe(200)
  await send.click()
  await page.getByText('Waiting period').waitFor()
  expect(await send.count()).toBe(0)
  await changeSettings(platform, 'security', { bankCoolingHours: 0 })
})

test('a deposit form keeps its amount and receipt when the session ends', async () => {
  const investor = await addInvestor(platform, { balance: 0 })
  const { email, password } = investor
  await signIn(page, platform, investor)
  await openPath('/manage/investor/deposit')
  await page.getByRole('button', { name: /Mobile Wallet/ }).click()
  await page.getByLabel('Amount').fill('432.10')
  await page.getByLabel('Payment proof').setInputFiles(await createPicture())
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has ended.').waitFor()
  await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('432.10')
  await page.getByText('me.png').waitFor()
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await page.getByText('Deposit Submitted!').waitFor()
  const mails = await listMails(platform.mailUrl, email)
  expect(mails.filter(({ subject }) => /432\.10 received/.test(subject)).length).toBeLessThan(2)
})

test('an investor’s open page closes for maintenance and opens again afterwards', async () => {
  await signIn(page, platform, await addInvestor(platform, { balance: 0 }))
  await openPath('/manage/investor/dashboard')
  await page.getByText('Account Balance').waitFor()
  await changeSettings(platform, 'general', { maintenanceMode: true })
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  const closed = page.getByRole('heading', { name: 'The site is being maintained.' })
  await closed.waitFor()
  // The dashboard can show this heading before the navigation to the transactions has ended. The
  // test therefore also waits for the URL.
  await page.waitForURL('**/transactions')
  await changeSettings(platform, 'general', { maintenanceMode: false })
  await page.reload()
  await page.getByText('Transaction History').first().waitFor()
})

test('the changes of a profile are saved and taken back without scrolling on a small screen', async () => {
  await page.setViewportSize({ width: 390, height: 600 })
  await signIn(page, platform, await addInvestor(platform, { name: 'Noor Haddad', balance: 0 }))
  await openPath('/manage/investor/settings?tab=profile')
  const save = page.getByRole('button', { name: 'Save changes' })
  const isInWindow = () =>
    save.evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  await page.getByLabel('Name').fill('Noor Later')
  await page.getByText('You have unsaved changes.').waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(isInWindow).toBe(true)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Noor Haddad')
  // Without a change, a small screen shows no bar.
  await save.waitFor({ state: 'hidden' })
})
