import type { CDPSession, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { addAdmin, addInvestor, type Person, requestDeposit } from './people.ts'
import { runAdminCommand } from './second-admin.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { fillLogin, openWindow } from './visit.ts'

const MINUTE_MS = 60_000

useSharedSite()
/** The URL of the site with a host name, because passkeys do not work at an IP address. */
let site: string
beforeEach(() => {
  site = platform.url.replace('127.0.0.1', 'localhost')
})

/** Adds a software authenticator, which stores passkeys and verifies its user. */
async function addAuthenticator(on: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await on.context().newCDPSession(on)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function openSecurity(person: Person, area: 'investor' | 'admin'): Promise<void> {
  await page.goto(`${site}/users/login`)
  await fillLogin(page, person)
  await page.waitForURL(/\/manage\//)
  await page.goto(
    `${site}/manage/${area === 'admin' ? 'admin/account' : 'investor/settings'}?tab=security`,
  )
}

/** Creates the first passkey of a person, who proves the identity with the password. */
async function createPasskey(name: string, { password }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
}

async function confirmCodesStored(): Promise<void> {
  await page.getByLabel(/I have stored these codes/).check()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Finds the badge of the card about the second factor. */
function findSecondFactor(state: 'On' | 'Off'): Locator {
  const heading = page.getByRole('heading', { name: 'Two-factor authentication' })
  return page.locator('section', { has: heading }).getByText(state, { exact: true })
}

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(/\/users\/login/)
}

describe('a passkey', () => {
  test('is added, renamed, used to log in without an email, and removed', async () => {
    const investor = await addInvestor(platform, { balance: 0 })
    const { cdp, authenticatorId } = await addAuthenticator(page)
    await openSecurity(investor, 'investor')
    await page.getByText('No passkeys yet').waitFor()
    await findSecondFactor('Off').waitFor()
    await createPasskey('Laptop', investor)
    await confirmCodesStored()
    await findSecondFactor('On').waitFor()
    await page.getByText('Your passkey counts as both factors').waitFor()
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Work laptop').waitFor()
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(
      credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId]),
    ).toEqual([[true, 'localhost']])

    await logOut()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/manage\/investor\/dashboard/)
    await page.goto(`${site}/manage/investor/settings?tab=security`)
    await page
      .getByText(/Last used/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No passkeys yet').waitFor()
    await page.getByText(/Withdrawals are paused until/).waitFor()
    await findSecondFactor('Off').waitFor()

    await logOut()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('This passkey was not accepted').waitFor()
  })

  test('that is cancelled changes nothing and can be tried again', async () => {
    const investor = await addInvestor(platform, { balance: 0 })
    const { cdp, authenticatorId } = await addAuthenticator(page)
    await openSecurity(investor, 'investor')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await createPasskey('Laptop', investor)
    await page.getByText(/The passkey was not used|cannot store a passkey/).waitFor()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await confirmCodesStored()
    await logOut()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was not used').waitFor()
    // The second step of the login also accepts the passkey.
    await fillLogin(page, investor)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByLabel('Code', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/manage\/investor\/dashboard/)
  })

  test('confirms an approval of an administrator', async () => {
    const admin = await addAdmin(platform)
    await addAuthenticator(page)
    await openSecurity(admin, 'admin')
    await createPasskey('Key', admin)
    await confirmCodesStored()
    const { reference } = await requestDeposit(platform, LOGINS.investor, '64')
    const at = new Date((await platform.now()) - 6 * MINUTE_MS).toISOString()
    await runSqlAsSuperuser(
      platform,
      `update identity.session set mfa_at = '${at}' where user_id = '${admin.id}'`,
    )
    await page.goto(`${site}/manage/admin/transactions?q=${reference}`)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    const approving = page.getByRole('dialog').getByRole('button', { name: /^Approve and credit/ })
    await approving.click()
    const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText(/Deposit approved: /).waitFor()
  })
})

test('reset-2fa on the server removes the passkeys', async () => {
  const investor = await addInvestor(platform)
  await addAuthenticator(page)
  await openSecurity(investor, 'investor')
  await createPasskey('Laptop', investor)
  await confirmCodesStored()
  await runAdminCommand(platform, ['reset-2fa', '--email', investor.email])
  await page.goto(`${site}/users/login`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('This passkey was not accepted').waitFor()
  await fillLogin(page, investor)
  await page.waitForURL(/\/manage\/investor\/dashboard/)
})

test('at an IP address the pages say why there are no passkeys', async () => {
  await page.goto(`${platform.url}/users/login`)
  const reason = `Open ${site} instead`
  await page.getByText(reason).waitFor()
  expect(await page.getByRole('button', { name: 'Use a passkey' }).isDisabled()).toBe(true)
})

test.each(['light', 'dark'] as const)(
  'the card fits a narrow and a wide %s page',
  async (theme) => {
    const investor = await addInvestor(platform, { balance: 0 })
    for (const width of [390, 1_440]) {
      const window = await openWindow(browser, { width, height: 900, theme })
      await window.goto(`${site}/users/login`)
      await fillLogin(window, investor)
      await window.waitForURL(/\/manage\//)
      await window.goto(`${site}/manage/investor/settings?tab=security`)
      await window.getByRole('button', { name: 'Add passkey' }).focus()
      await window.keyboard.press('Enter')
      await window.getByRole('dialog', { name: 'Add a passkey' }).waitFor()
      const overflow = await window.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
      await window.context().close()
    }
  },
)
