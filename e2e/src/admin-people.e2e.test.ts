import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { waitForMail } from './mailbox.ts'
import { addInvestor, addPendingInvestor, openAdminApi } from './people.ts'
import { SECOND } from './second-admin.ts'
import { browser, page, platform } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { approveRequest, openAdminPage, openAs, useTwoAdmins } from './two-admins.ts'
import { openWatched } from './watched-window.ts'

useTwoAdmins()

test('an administrator is invited by one, approved by another, and sets the first password', async () => {
  const email = 'third.admin@cairn.example'
  await openAdminPage('users')
  await page.getByRole('button', { name: 'Invite an administrator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Thea Third')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByText('Choose at least one role').waitFor()
  await dialog.getByLabel('Owner').check()
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByText('Sent for approval.').waitFor()
  await approveRequest(await openAs(SECOND), /Invitation of Thea Third/)
  const { text } = await waitForMail(platform.mailUrl, { to: email, subject: /administrator/ })
  const path = /\/users\/resetPassword#token=\S+/.exec(text)?.[0] ?? ''
  const fresh = await openWatched(browser)
  await fresh.goto(`${platform.url}${path.replace(/[)\]]$/, '')}`)
  const password = 'three stones on a hill'
  await fresh.getByLabel('New password').fill(password)
  await fresh.getByLabel('Confirm password').fill(password)
  await fresh.getByRole('button', { name: 'Create the account' }).click()
  await fresh.waitForURL(/\/users\/login/)
  const third = await openAs({ email, password })
  await openAdminPage('users', third)
  await third.getByRole('heading', { name: 'Manage Users' }).waitFor()
})

test('a lost second factor is reset with a proof of identity that the audit log records', async () => {
  const { id, email } = await addInvestor(platform)
  const on = `update identity.user set mfa_enabled_at = now() where email = '${email}'`
  await runSqlAsSuperuser(platform, on)
  await openAdminPage(`users/${id}`)
  await page.getByRole('button', { name: 'Reset two-factor authentication' }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('Give a reason').waitFor()
  const proof = 'Called back on the number we know'
  await page.getByLabel('How was the identity confirmed?').fill(proof)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('Two-factor authentication is reset.').waitFor()
  await page
    .getByRole('button', { name: 'Reset two-factor authentication' })
    .waitFor({ state: 'detached' })
  await openAdminPage('audit?action=user.reset-mfa')
  const reset = page.getByRole('button', { name: /reset the two-factor authentication of a user/ })
  await reset.first().click()
  await page.getByRole('dialog').getByText(proof).waitFor()
})

test('one session of a user is ended, and the others stay', async () => {
  const { id, email, password } = await addInvestor(platform)
  const [one, other] = [
    await logInAs(platform.url, email, password),
    await logInAs(platform.url, email, password),
  ]
  const isLoggedIn = async (api: typeof one) => (await api.get('users/me')).status === 200
  await openAdminPage(`users/${id}?tab=sessions`)
  const ends = page.getByRole('button', { name: /^End / }).filter({ hasNotText: 'all' })
  await expect.poll(() => ends.count()).toBeGreaterThan(1)
  const before = await ends.count()
  expect([await isLoggedIn(one), await isLoggedIn(other)]).toEqual([true, true])
  await ends.first().click()
  await expect.poll(() => ends.count()).toBe(before - 1)
})

test('pending users are decided in the list: by keyboard, and on a phone', async () => {
  const paula = await addPendingInvestor(platform, 'Paula Pending')
  const otto = await addPendingInvestor(platform, 'Otto Stranger')
  await openAdminPage('users?status=pending')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Approve ${paula.name}` }).press('Enter')
  await dialog.getByText(paula.email).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Approve ${paula.name}` }).press('Enter')
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await page.getByText("User's status changed successfully!").waitFor()
  await page.getByRole('button', { name: `Approve ${paula.name}` }).waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: `Deny ${otto.name}` }).click()
  await dialog.getByRole('button', { name: 'Deny Access' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(otto.email).waitFor({ state: 'detached' })
  const admin = await openAdminApi(platform)
  const readStatus = async (id: string) => (await admin.get(`users/${id}`)).body.data.user.status
  expect([await readStatus(paula.id), await readStatus(otto.id)]).toEqual(['active', 'denied'])
})

test('the own account cannot be deactivated or deleted, and the page says so before', async () => {
  const admin = await openAdminApi(platform)
  const { id } = (await admin.get('users/me')).body.data.user
  await openAdminPage(`users/${id}`)
  const why = 'You cannot deactivate or delete your own account.'
  await page.getByText(why).waitFor()
  const refusals = [
    await admin.send('PATCH', `users/${id}/status`, { status: 'deactivate' }),
    await admin.send('DELETE', `users/${id}`, {}),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([409, 409])
  for (const name of ['Deactivate', 'Delete user']) {
    const button = page.getByRole('button', { name, description: why })
    expect(await button.isDisabled(), name).toBe(true)
  }
  expect(await page.getByRole('button', { name: 'End all sessions' }).isDisabled()).toBe(false)
  const { administrators } = (await admin.get('admin/roles')).body.data
  const other = administrators.find(
    (each: { id: string; status: string }) => each.id !== id && each.status === 'active',
  )
  await openAdminPage(`users/${other.id}`)
  await expect.poll(() => page.getByRole('button', { name: 'Deactivate' }).isEnabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Delete user' }).isEnabled()).toBe(true)
})

test('the lists of people name their amounts on a phone, and administrators have a mark', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAdminPage(`users?q=${LOGINS.admin.email}`)
  const users = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
  const ada = users.filter({ hasText: 'Ada Keeper' })
  await ada.getByText('Admin', { exact: true }).waitFor()
  expect(await ada.textContent()).not.toContain('Net worth')
  // Other tests add people, so each person is searched for.
  await openAdminPage(`users?q=${LOGINS.investor.email}`)
  const ivy = users.filter({ hasText: LOGINS.investor.email })
  await expect.poll(() => ivy.textContent()).toMatch(/Net worth \$[\d,]+\.\d\d/)
  expect(await ivy.getByText('Admin', { exact: true }).count()).toBe(0)
  await openAdminPage('referrals')
  const referrer = page.getByRole('list', { name: 'Referrers' }).getByRole('listitem').first()
  await referrer.waitFor()
  await expect
    .poll(() => referrer.textContent())
    .toMatch(/Bonuses \$[\d,]+\.\d\d\d+ referred, \d+ active/)
})
