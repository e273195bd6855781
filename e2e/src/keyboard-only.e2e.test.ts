import { expect, test } from 'vitest'
import { choose, press, requireTrapped, tabTo, type } from './keyboard.ts'
import { findCodeIn, waitForMail } from './mailbox.ts'
import { openAdminApi } from './people.ts'
import { receiptPng } from './picture.ts'
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
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const link = (name: string) => page.getByRole('link', { name }).first()

  await page.goto(platform.url)
  await page.keyboard.press('Tab')
  await tabTo(page, link('Skip to content'))
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('main').getByRole('link', { name: 'Start Investing' }).first())
  await page.waitForURL(/users\/register/)
  await type(page, field('Fullname'), 'Kay Board')
  await choose(page, field('Gender'), 'F')
  await type(page, field('Phone'), '+15550100999')
  await type(page, field('Email'), EMAIL)
  await type(page, field('Password'), PASSWORD)
  await type(page, field('Confirm password'), PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Address Information' }).waitFor()
  await expect.poll(() => field('Country').isEnabled()).toBe(true)
  await choose(page, field('Country'), 'Germany')
  await type(page, field('Address 1'), '1 Hill Road')
  await press(page, button('Create Account'), 'Space')
  await page.getByRole('heading', { name: 'Verify Email' }).waitFor()
  const mail = await waitForMail(platform.mailUrl, { to: EMAIL, subject: /code/ })
  await type(page, field('Four-digit code'), findCodeIn(mail))
  await page.keyboard.press('Enter')
  await page.getByText('Your account has been created.').waitFor()
  await press(page, link('Close'))
  await page.waitForURL(/users\/login/)
  await type(page, field('Email'), EMAIL)
  await type(page, field('Password'), PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(/investor\/dashboard/)

  await press(page, link('Transactions'))
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  await press(page, page.getByRole('main').getByRole('link', { name: 'Deposit Funds' }))
  await press(page, button(/Bank Transfer/))
  await page.getByRole('heading', { name: 'Enter Deposit Details' }).waitFor()
  await type(page, field('Amount'), '1000')
  // Waits from before the key press, because the file chooser can open immediately.
  const choosing = page.waitForEvent('filechooser')
  await press(page, field('Payment proof'))
  const chooser = await choosing
  const buffer = Buffer.from(await receiptPng().arrayBuffer())
  await chooser.setFiles({ name: 'receipt.png', mimeType: 'image/png', buffer })
  await press(page, button('Submit deposit'))
  await page.getByText('Deposit Submitted!').waitFor()
  await approveAll()

  await press(page, link('Investments'))
  await page.waitForURL(/investor\/investments/)
  await press(page, page.getByRole('main').getByRole('link', { name: 'New Investment' }).first())
  const starter = page.getByRole('article').filter({ hasText: 'Starter' })
  await press(page, starter.getByRole('button', { name: 'Select' }))
  // Selecting a plan moves the focus to its amount.
  await expect.poll(() => focusedLabel()).toBe('amount')
  await page.keyboard.type('100')
  await press(page, page.getByLabel(/I understand that profit/), 'Space')
  await press(page, button('Invest $100'))
  await page.getByText('Investment successful!').waitFor()

  await press(page, link('Transactions'))
  await press(page, button('Bank Accounts'))
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await requireTrapped(page, dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // The focus returns to the button that opened the dialog.
  await expect.poll(() => focusedText()).toBe('Bank Accounts')
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Add a bank account' }))
  await type(page, field('Bank name'), 'Hill Bank')
  await type(page, field('Account number'), '12345678')
  await type(page, field('Account name'), 'Kay Board')
  await page.keyboard.press('Enter')
  await dialog.getByText('Hill Bank').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await press(page, page.getByRole('main').getByRole('link', { name: 'Withdraw Funds' }))
  await press(page, button(/Wallet Balance/), 'Space')
  await page.getByRole('heading', { name: 'Enter Withdrawal Details' }).waitFor()
  await type(page, field('Amount'), '50')
  await choose(page, field('Bank account'), 'Hill')
  await press(page, button('Request withdrawal'))
  await page.getByText('Withdrawal Requested!').waitFor()
  await press(page, link('View Transactions'))
  await press(page, button(/Details of Withdrawal/).first())
  await page.getByRole('dialog').getByText('$50.00').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  function focusedLabel() {
    return page.evaluate(() => document.activeElement?.getAttribute('name'))
  }
  function focusedText() {
    return page.evaluate(() => document.activeElement?.textContent)
  }
})

test('its sabotaged twin: an invisible focus and a dialog that does not trap the focus are reported', async () => {
  await page.goto(`${platform.url}/users/login`)
  const email = page.getByLabel('Email')
  await tabTo(page, email)
  await page.addStyleTag({ content: '* { outline: none !important }' })
  await expect(tabTo(page, page.getByLabel('Password', { exact: true }))).rejects.toThrow('seen')
  await expect(requireTrapped(page, email)).rejects.toThrow('left the dialog')
})
