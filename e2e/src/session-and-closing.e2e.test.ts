import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { createApiClient } from './api-client.ts'
import { waitForMail } from './mailbox.ts'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'
import { fillLogin, logIn, waitUntilLoaded, watchRequests } from './visit.ts'

useSharedSite()

const PASSWORD = 'cairn-demo-investor'
const MINUTE_MS = 60_000
const IN_BRITAIN = 'In the United Kingdom: you could lose all the money you invest.'

/** Waits until the page has received the state of its session and has rendered it. */
async function waitForSessionEnd(window: Page): Promise<void> {
  const isSessionLifeAnswer = (response: Response) => response.url().endsWith('/users/me/session')
  await (await window.waitForResponse(isSessionLifeAnswer)).finished()
  // After two frames, the page has rendered the answer.
  await window.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

test('a visitor selects a country, and its risk warning is shown on every page', async () => {
  await changeSettings(platform, 'general', {
    riskTexts: [{ country: 'GB', text: IN_BRITAIN }],
  })
  await openPath('/')
  await page.getByRole('link', { name: 'Know the risks' }).click()
  await page.getByRole('heading', { name: 'Know the risks' }).waitFor()
  expect(await page.getByText(IN_BRITAIN).count()).toBe(0)
  await page.getByLabel('Country of residence').selectOption('United Kingdom')
  await page.getByRole('main').getByText(IN_BRITAIN).waitFor()
  await page.getByRole('complementary', { name: 'Risk' }).getByText(IN_BRITAIN).waitFor()
  await page.reload()
  await page.getByRole('complementary', { name: 'Risk' }).getByText(IN_BRITAIN).waitFor()
  await changeSettings(platform, 'general', { riskTexts: [] })
})

test('the status page works during maintenance', async () => {
  await changeSettings(platform, 'general', { maintenanceMode: true })
  try {
    await openPath('/about_us')
    await page.getByRole('heading', { name: 'The site is being maintained.' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Status' }).click()
    await page.getByText('Only administrators can log in.').waitFor()
    await page.getByText('Balances are shown and requests are recorded.').waitFor()
    await page.getByText(/^Last checked \w+ \d+, \d{4}/).waitFor()
  } finally {
    await changeSettings(platform, 'general', { maintenanceMode: false })
  }
})

test.each([390, 1_440])(
  'the login page leads a person who is logged in to their area, at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 844 })
    await signIn(page, platform, await addInvestor(platform))
    await openPath('/users/login')
    await page.waitForURL(/investor\/dashboard$/)
    await openPath(`/users/login?redirectTo=${encodeURIComponent('/manage/investor/referrals')}`)
    await page.waitForURL(/investor\/referrals$/)
    // The browser still stores the user, but the server does not know the session.
    await page.context().clearCookies()
    await openPath('/users/login')
    await page.getByLabel('Email').waitFor()
    await waitUntilLoaded(page)
    expect(new URL(page.url()).pathname).toBe('/users/login')
  },
)

test('an investment records the confirmed risk warning of the investor’s country', async () => {
  await signIn(page, platform, await addInvestor(platform, { country: 'DE' }))
  await openPath('/manage/investor/investments?view=new')
  await waitUntilLoaded(page)
  const starter = page.getByRole('article').filter({ hasText: 'Starter' })
  await starter.getByRole('button', { name: 'Select' }).click()
  await page.getByLabel('Amount', { exact: true }).fill('100')
  const warning = page.getByText(/^Don't invest unless you're prepared to lose/)
  await warning.waitFor()
  await page.getByLabel(/I understand that profit is not guaranteed/).check()
  await page.getByRole('button', { name: 'Invest $100' }).click()
  await page.getByText('Investment successful!').waitFor()
  await page.getByRole('link', { name: 'View Investments' }).click()
  await page.getByRole('row').filter({ hasText: '$100.00' }).getByRole('button').click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Warning text').click()
  await panel.getByText(/Don't invest unless you're prepared to lose/).waitFor()
})

test('the strength of a password is shown while it is typed or pasted, and the text is hidden', async () => {
  await openPath('/users/register')
  const field = page.getByLabel('Password', { exact: true })
  await expect.poll(() => field.getAttribute('type')).toBe('password')
  const name = page.getByLabel('Fullname')
  await name.fill('a pasted passphrase')
  await name.press('ControlOrMeta+a')
  await name.press('ControlOrMeta+c')
  await field.press('ControlOrMeta+v')
  await expect.poll(() => field.inputValue()).toBe('a pasted passphrase')
  await field.fill('abc')
  await page.getByText('Too short: 5 characters more.').waitFor()
  await field.fill('password1')
  await page.getByText('Weak: a common password.').waitFor()
  await field.fill('gravel teapot onward nine')
  await page.getByText('Strong.').waitFor()
})

test('a session that is about to end warns in every tab, can be extended in one tab, and then ends', async () => {
  const context = page.context()
  await context.clock.install()
  const unanswered = watchRequests(context)
  await signIn(page, platform, await addInvestor(platform))
  await Promise.all([waitForSessionEnd(page), openPath('/manage/investor/dashboard')])
  const other = await context.newPage()
  await Promise.all([
    waitForSessionEnd(other),
    other.goto(`${platform.url}/manage/investor/transactions`),
  ])
  const findDialog = (window: Page) => window.getByRole('dialog', { name: 'Are you still there?' })
  const advanceClock = async (minutes: number) => {
    // A request of an active user that the platform answered after its clock had moved would extend
    // the session.
    await expect.poll(() => [...unanswered].map((request) => request.url())).toEqual([])
    // The clock of the page moves by two minutes before the clock of the platform does. Otherwise
    // the page would treat the last activity as recent and extend the session.
    await context.clock.fastForward(2 * MINUTE_MS)
    await platform.moveClock(minutes * MINUTE_MS)
    await context.clock.fastForward((minutes - 2) * MINUTE_MS)
  }
  await advanceClock(28)
  await findDialog(page).waitFor()
  await findDialog(other).waitFor()
  await findDialog(page)
    .getByText(/You will be logged out in [012]:\d\d/)
    .waitFor()
  await findDialog(other).getByRole('button', { name: 'Stay logged in' }).click()
  await findDialog(other).waitFor({ state: 'detached' })
  await findDialog(page).waitFor({ state: 'detached' })

  await Promise.all([waitForSessionEnd(page), openPath('/manage/investor/deposit')])
  await page.getByRole('button', { name: /Mobile Wallet/ }).click()
  await page.getByLabel('Amount').fill('77.00')
  await advanceClock(28)
  await findDialog(page).waitFor()
  await advanceClock(3)
  const again = page.getByRole('dialog').filter({ hasText: 'Your session has ended.' })
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await again.getByRole('button', { name: 'Login' }).click()
  await again.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('77.00')
})

/** Registers a person who has no transactions. */
async function signUp(email: string): Promise<void> {
  const client = createApiClient(platform.url)
  await client.get('public/settings')
  const form = { name: 'Nora New', gender: 'Female', phone: '+44 20 7946 0100', country: 'GB' }
  const passwords = { password: PASSWORD, passwordConfirm: PASSWORD }
  const body = { ...form, ...passwords, email, firstAddress: '1 Street' }
  expect((await client.send('POST', 'users/signup', body)).status).toBe(201)
  const { text } = await waitForMail(platform.mailUrl, { to: email, subject: /code/ })
  const code = /\b\d{4}\b/.exec(text)?.[0]
  expect((await client.send('POST', 'users/verify_email', { code })).status).toBe(200)
}

async function closeAccount(): Promise<void> {
  await openPath('/manage/investor/settings?tab=security')
  await page.getByRole('button', { name: 'Close my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close your account permanently?' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Close my account' }).click()
}

test('an account with money cannot be closed, and its data can be exported', async () => {
  await signIn(page, platform, await addInvestor(platform))
  await closeAccount()
  await page.getByText('Your account still has money, a pending request').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await file).suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/)
})

test('an empty account is closed by its owner, who gets one last email', async () => {
  const email = 'nora@example.com'
  await signUp(email)
  await logIn(page, platform.url, { email, password: PASSWORD })
  await closeAccount()
  await page.getByText('Your account is closed and your personal data is erased.').waitFor()
  await waitForMail(platform.mailUrl, { to: email, subject: /account is closed/ })
  await fillLogin(page, { email, password: PASSWORD })
  await page.getByText('Incorrect email or password').waitFor()
})
