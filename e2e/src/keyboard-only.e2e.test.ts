import { expect, test } from 'vitest'
import {
  chooseOption,
  focusAndPress,
  moveFocusTo,
  requireTrappedFocus,
  typeInto,
} from './keyboard.ts'
import { findCodeIn, waitForMail } from './mailbox.ts'
import { openAdminApi } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { page, platform, useSharedSite } from './shared-site.ts'

const EMAIL = 'keys@example.com'
const PASSWORD = 'a long walk uphill'

useSharedSite()

async function approveAll(): Promise<void> {
  const office = await openAdminApi(platform)
  const { transactions } = (await office.get(`transactions?status=pending&q=${EMAIL}`)).body.data
  expect(transactions.length).toBeGreaterThan(0)
  for (const { id } of transactions) {
    const answer = await office.send('PATCH', `transactions/${id}/action/approve`)
    expect(answer.status).toBe(200)
  }
}

test('from the landing page to a withdrawal without a mouse', async () => {
  const findField = (label: string) => page.getByLabel(label, { exact: true })
  const findButton = (name: string | RegExp) => page.getByRole('button', { name })
  const findLink = (name: string) => page.getByRole('link', { name }).first()

  await page.goto(platform.url)
  await page.keyboard.press('Tab')
  await moveFocusTo(page, findLink('Skip to content'))
  await page.keyboard.press('Enter')
  await focusAndPress(
    page,
    page.getByRole('main').getByRole('link', { name: 'Start Investing' }).first(),
  )
  await page.waitForURL(/users\/register/)
  await typeInto(page, findField('Fullname'), 'Kay Board')
  await chooseOption(page, findField('Gender'), 'F')
  await typeInto(page, findField('Phone'), '+15550100999')
  await typeInto(page, findField('Email'), EMAIL)
  await typeInto(page, findField('Password'), PASSWORD)
  await typeInto(page, findField('Confirm password'), PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Address Information' }).waitFor()
  await expect.poll(() => findField('Country').isEnabled()).toBe(true)
  await chooseOption(page, findField('Country'), 'Germany')
  await typeInto(page, findField('Address 1'), '1 Hill Road')
  await focusAndPress(page, findButton('Create Account'), 'Space')
  await page.getByRole('heading', { name: 'Verify Email' }).waitFor()
  const mail = await waitForMail(platform.mailUrl, { to: EMAIL, subject: /code/ })
  await typeInto(page, findField('Four-digit code'), findCodeIn(mail))
  await page.keyboard.press('Enter')
  await page.getByText('Your account has been created.').waitFor()
  await focusAndPress(page, findLink('Close'))
  await page.waitForURL(/users\/login/)
  await typeInto(page, findField('Email'), EMAIL)
  await typeInto(page, findField('Password'), PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(/investor\/dashboard/)

  await focusAndPress(page, findLink('Transactions'))
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  await focusAndPress(page, page.getByRole('main').getByRole('link', { name: 'Deposit Funds' }))
  await focusAndPress(page, findButton(/Bank Transfer/))
  await page.getByRole('heading', { name: 'Enter Deposit Details' }).waitFor()
  await typeInto(page, findField('Amount'), '1000')
  // The wait starts before the key press, because the file chooser can open immediately.
  const choosing = page.waitForEvent('filechooser')
  await focusAndPress(page, findField('Payment proof'))
  const chooser = await choosing
  const buffer = Buffer.from(await createReceiptPng().arrayBuffer())
  await chooser.setFiles({ name: 'receipt.png', mimeType: 'image/png', buffer })
  await focusAndPress(page, findButton('Submit deposit'))
  await page.getByText('Deposit Submitted!').waitFor()
  await approveAll()

  await focusAndPress(page, findLink('Investments'))
  await page.waitForURL(/investor\/investments/)
  await focusAndPress(
    page,
    page.getByRole('main').getByRole('link', { name: 'New Investment' }).first(),
  )
  const starter = page.getByRole('article').filter({ hasText: 'Starter' })
  await focusAndPress(page, starter.getByRole('button', { name: 'Select' }))
  // After a plan is selected, its amount field must have the focus.
  await expect.poll(() => readFocusedName()).toBe('amount')
  await page.keyboard.type('100')
  await focusAndPress(page, page.getByLabel(/I understand that profit/), 'Space')
  await focusAndPress(page, findButton('Invest $100'))
  await page.getByText('Investment successful!').waitFor()

  await focusAndPress(page, findLink('Transactions'))
  await focusAndPress(page, findButton('Bank Accounts'))
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await requireTrappedFocus(page, dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // After a dialog closes, the button that opened it must have the focus.
  await expect.poll(() => readFocusedText()).toBe('Bank Accounts')
  await page.keyboard.press('Enter')
  await focusAndPress(page, dialog.getByRole('button', { name: 'Add a bank account' }))
  await typeInto(page, findField('Bank name'), 'Hill Bank')
  await typeInto(page, findField('Account number'), '12345678')
  await typeInto(page, findField('Account name'), 'Kay Board')
  await page.keyboard.press('Enter')
  await dialog.getByText('Hill Bank').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await focusAndPress(page, page.getByRole('main').getByRole('link', { name: 'Withdraw Funds' }))
  await focusAndPress(page, findButton(/Wallet Balance/), 'Space')
  await page.getByRole('heading', { name: 'Enter Withdrawal Details' }).waitFor()
  await typeInto(page, findField('Amount'), '50')
  await chooseOption(page, findField('Bank account'), 'Hill')
  await focusAndPress(page, findButton('Request withdrawal'))
  await page.getByText('Withdrawal Requested!').waitFor()
  await focusAndPress(page, findLink('View Transactions'))
  await focusAndPress(page, findButton(/Details of Withdrawal/).first())
  await page.getByRole('dialog').getByText('$50.00').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  function readFocusedName() {
    return page.evaluate(() => document.activeElement?.getAttribute('name'))
  }
  function readFocusedText() {
    return page.evaluate(() => document.activeElement?.textContent)
  }
})

test('its sabotaged twin: an invisible focus and a dialog that does not trap the focus are reported', async () => {
  await page.goto(`${platform.url}/users/login`)
  const email = page.getByLabel('Email')
  await moveFocusTo(page, email)
  await page.addStyleTag({ content: '* { outline: none !important }' })
  await expect(moveFocusTo(page, page.getByLabel('Password', { exact: true }))).rejects.toThrow(
    'seen',
  )
  await expect(requireTrappedFocus(page, email)).rejects.toThrow('left the dialog')
})
