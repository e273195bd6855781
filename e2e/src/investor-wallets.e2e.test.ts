import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { addInvestor, openAdminApi, type Person, requestWithdrawal, signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

/** Adds money to a wallet in the name of an administrator. */
async function fund({ id }: Person, wallet: string, amount: number): Promise<void> {
  const admin = await openAdminApi(platform)
  const form = { wallet_type: wallet, amount, category: 'gift', reason: 'A test of wallets' }
  const { status, body } = await admin.send('PATCH', `users/${id}/wallets`, form)
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
}

test('each wallet states its held part, on the dashboard and on the withdrawal page', async () => {
  const person = await addInvestor(platform)
  await fund(person, 'profit', 60)
  await fund(person, 'referralBalance', 70)
  await requestWithdrawal(platform, person, { wallet: 'balance', amount: 31 })
  await requestWithdrawal(platform, person, { wallet: 'profit', amount: 60 })
  await requestWithdrawal(platform, person, { wallet: 'referralBalance', amount: 33 })
  await signIn(page, platform, person)
  await openPath('/manage/investor/dashboard')
  const figures = page.getByRole('region', { name: 'Your money' })
  for (const text of [
    /Wallet Balance, available now.*\$31\.00 held/,
    /Since the start;.*available now.*\$60\.00 held/,
    /Referral Earnings, available now.*\$33\.00 held/,
  ]) {
    await expect.poll(() => figures.textContent()).toMatch(text)
  }

  await openPath('/manage/investor/investments')
  const totals = page.getByRole('region', { name: 'Your investments' })
  await expect
    .poll(() => totals.textContent())
    .toMatch(/Since the start;.*available now.*\$60\.00 held/)

  await openPath('/manage/investor/withdrawal')
  await page.getByText('No fee on withdrawals. Minimum $10.').waitFor()
  await page.getByText('The money is in Wallet Balance and Referral Earnings.').waitFor()
  const [balance, profit, referral] = [
    'Wallet Balance',
    'Investment Profit',
    'Referral Earnings',
  ].map((name) => page.getByRole('button', { name }))
  await balance?.getByText('$31.00 held').waitFor()
  await referral?.getByText('$33.00 held').waitFor()
  await profit?.getByText('$60.00 held').waitFor()
  // The whole profit is held, so no further withdrawal of it is possible.
  expect(await profit?.isDisabled()).toBe(true)
  expect(await balance?.isDisabled()).toBe(false)
  expect(await page.getByText(/is invested/).count()).toBe(0)
})

test('a bank account that is added in the withdrawal form keeps the form, and sends no request', async () => {
  const person = await addInvestor(platform)
  await signIn(page, platform, person)
  await openPath('/manage/investor/withdrawal?source=balance')
  await page.getByText(/to the available amount \(No fee\)\./).waitFor()
  await page.getByLabel('Amount').fill('45')
  await page.getByLabel('Bank account').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Add or change a bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add a bank account' }).click()
  await dialog.getByLabel('Bank name').fill('Second Bank')
  await dialog.getByRole('button', { name: 'Save account' }).click()
  await dialog.getByText('Account number is required').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('Discard what you entered?').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => dialog.getByLabel('Bank name').inputValue()).toBe('Second Bank')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add or change a bank account' }).click()
  await dialog.getByRole('button', { name: 'Add a bank account' }).click()
  await dialog.getByLabel('Bank name').fill('Second Bank')
  await dialog.getByLabel('Account number').fill('22223333')
  await dialog.getByLabel('Account name').fill(person.name)
  await dialog.getByRole('button', { name: 'Save account' }).click()
  await dialog.getByText('Second Bank').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('45')
  const api = await logInAs(platform.url, person.email, person.password)
  const { stats } = (await api.get('stats/users')).body.data
  expect(stats.held.balance).toBe(0)
})

test('on a phone, the actions and the figures of the dashboard are in rows', async () => {
  const person = await addInvestor(platform)
  const phone = await openWatched(browser)
  await phone.setViewportSize({ width: 390, height: 844 })
  await signIn(phone, platform, person)
  await openPath('/manage/investor/dashboard', phone)
  const boxes = []
  for (const name of [/^Deposit/, /^Withdraw/, /^Invest$/]) {
    boxes.push(await phone.getByRole('main').getByRole('link', { name }).first().boundingBox())
  }
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
  const widths = boxes.map((box) => box?.width ?? 0)
  expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(1)
  expect(Math.max(...widths)).toBeGreaterThan(90)

  // A label of two lines moves the figure of the card beside it too.
  const figures = phone
    .getByRole('region', { name: 'Your money' })
    .locator('> div > p:first-of-type')
  const tops = []
  for (const figure of await figures.all()) tops.push((await figure.boundingBox())?.y)
  expect(tops).toHaveLength(4)
  expect(tops[0]).toBe(tops[1])
  expect(tops[2]).toBe(tops[3])

  const invested = phone.getByText('Invested', { exact: true }).first()
  const range = phone.getByRole('group', { name: 'Time range' })
  const [parts, controls] = [await invested.boundingBox(), await range.boundingBox()]
  expect(parts?.y).toBeLessThan(controls?.y ?? 0)
})

test('a page of the signed-in area loads its fonts with its styles', async () => {
  const html = await (await fetch(`${platform.url}/manage/investor/dashboard`)).text()
  expect(html).toMatch(/<link rel="preload" as="font"[^>]*\/inter-latin-wght-normal-/)
})
