import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from './platform.ts'
import { browser, useBrowser } from './shared-site.ts'
import { computeTotp } from './totp.ts'
import { fillLogin } from './visit.ts'
import { openWatched } from './watched-window.ts'

const FIRST = { email: 'owner@example.com', password: 'the first stone of all' } as const
const LINK = /no administrator yet\. .*(\/users\/resetPassword#token=[\w-]+)/
const STEP_MS = 30_000
const ASKS_AGAIN_MS = 20_000

useBrowser()
let platform: Platform
beforeAll(async () => {
  platform = await startPlatform({ demo: '0' })
})
afterAll(() => platform?.remove())

async function waitForPrintedLink(): Promise<string> {
  const findLink = () => LINK.exec(platform.output())?.[1]
  await expect.poll(findLink).toBeDefined()
  return findLink() ?? ''
}

let secret = ''

test('an empty platform prints a link that creates the first administrator with a second factor', async () => {
  const page = await openWatched(browser)
  const path = await waitForPrintedLink()
  await page.goto(`${platform.url}${path}`)
  await page.getByRole('heading', { name: 'Set up your account' }).waitFor()
  await page.getByText('This link creates the first administrator of this site.').waitFor()
  await page.getByLabel('Name').fill('Olive Owner')
  await page.getByLabel('Email').fill(FIRST.email)
  await page.getByLabel('New password').fill(FIRST.password)
  await page.getByLabel('Confirm password').fill(FIRST.password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()

  await fillLogin(page, FIRST)
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  // The API must refuse an administrator who has no second factor.
  expect(await page.evaluate(() => fetch('/api/v1/users').then(({ status }) => status))).not.toBe(
    200,
  )
  await page.getByRole('button', { name: 'Start setup' }).click()
  secret = ((await page.locator('code').textContent()) ?? '').trim()
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Code from the app').and(page.locator('[aria-invalid]')).waitFor()
  await page.getByLabel('Code from the app').fill(computeTotp(secret, Date.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel(/I have stored these codes/).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/manage\/admin\/dashboard/)
  await page.getByText('No pending transactions').waitFor()

  const later = await openWatched(browser)
  await later.goto(`${platform.url}${path}`)
  await later.getByRole('link', { name: 'Request a new link' }).waitFor()
})

test('during maintenance visitors see a notice and administrators can log in', async () => {
  const visitor = await openWatched(browser)
  await visitor.clock.install()
  const office = await openWatched(browser)
  // Each code is accepted only once, so the next login needs the code of the next time step.
  await platform.moveClock(STEP_MS)
  await office.goto(`${platform.url}/users/login`)
  await fillLogin(office, FIRST)
  const code = office.getByLabel('Code', { exact: true })
  await code.fill(computeTotp(secret, Date.now() + STEP_MS))
  await office.getByRole('button', { name: 'Log in' }).click()
  await office.waitForURL(/\/manage\/admin/)
  await setMaintenance(office, true)

  await visitor.goto(platform.url)
  const closed = visitor.getByRole('heading', { name: 'The site is being maintained.' })
  await closed.waitFor()
  await visitor.getByRole('link', { name: 'Administrators log in here' }).click()
  await visitor.getByText('Only administrators can log in until the maintenance ends.').waitFor()
  await office.goto(platform.url)
  await office.locator('h1').first().waitFor()
  expect(await office.getByText('The site is being maintained.').isVisible()).toBe(false)

  await visitor.goto(`${platform.url}/about_us`)
  await closed.waitFor()
  await setMaintenance(office, false)
  // The open page polls until the maintenance has ended.
  await visitor.clock.fastForward(ASKS_AGAIN_MS)
  await closed.waitFor({ state: 'detached' })
  await visitor.locator('h1').first().waitFor()
})

async function setMaintenance(office: Page, isOn: boolean): Promise<void> {
  await office.goto(`${platform.url}/manage/admin/settings`)
  await office.getByRole('checkbox', { name: 'Maintenance mode', checked: !isOn }).click()
  await office.getByRole('button', { name: 'Save Settings' }).click()
  await office.getByText('Settings saved successfully!').waitFor()
}
