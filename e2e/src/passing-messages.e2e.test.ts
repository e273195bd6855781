import { expect, test } from 'vitest'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

/** Longer than a message about a success is shown. */
const LATER_MS = 30_000
const SAVED = 'Profile updated successfully'
const PROFILE = '**/api/v1/users/update-profile'

useSharedSite()

const getMessages = () => page.locator('[data-sonner-toast]')

async function openProfile(): Promise<void> {
  const person = await addInvestor(platform, { balance: 0, hasBank: false })
  await page.clock.install()
  await signIn(page, platform, person)
  await openPath('/manage/investor/settings')
}

async function savePhone(phone: string): Promise<void> {
  await page.getByLabel('Phone').fill(phone)
  await page.getByRole('button', { name: 'Save changes' }).click()
}

test('a success passes, and the notification centre has it afterwards', async () => {
  await openProfile()
  await savePhone('+1 555 0142')
  await getMessages().getByText(SAVED).waitFor()
  await page.clock.fastForward(LATER_MS)
  await getMessages().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('menuitem', { name: SAVED }).click()
  await page.getByRole('heading', { name: 'This visit' }).waitFor()
  await page.getByRole('main').getByText(SAVED).waitFor()
  // The next visit begins with a reload.
  await page.reload()
  await page.getByText('No notifications yet').or(page.getByText('unread')).first().waitFor()
  expect(await page.getByText(SAVED).count()).toBe(0)
})

test('an error stays until it is dismissed, however much later that is', async () => {
  await openProfile()
  const body = { status: 'fail', message: 'The profile is locked', code: 'LOCKED' }
  await page.route(PROFILE, (route) => route.fulfill({ status: 409, json: body }))
  await savePhone('+1 555 0143')
  const error = getMessages().filter({ hasText: 'The profile is locked' })
  await error.waitFor()
  // A success that comes later passes, and the error is still there.
  await page.unroute(PROFILE)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await getMessages().filter({ hasText: SAVED }).waitFor()
  await page.clock.fastForward(LATER_MS)
  await getMessages().filter({ hasText: SAVED }).waitFor({ state: 'detached' })
  await expect.poll(() => error.isVisible()).toBe(true)
  await error.getByRole('button', { name: 'Close toast' }).click()
  await error.waitFor({ state: 'detached' })
})

test('saved settings are in the notification centre of the administrator', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/settings?tab=notifications')
  const choice = page.getByRole('checkbox', { name: 'A new user has registered' })
  const list = page.getByRole('menuitem', { name: 'Settings saved successfully!' })
  // The second save restores the setting.
  for (const saved of [1, 2]) {
    await choice.click()
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await expect.poll(() => list.count()).toBe(saved)
    await page.keyboard.press('Escape')
  }
})
