import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { SECOND } from './second-admin.ts'
import { page, platform } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'
import { go, openAs, useTwoAdmins } from './two-admins.ts'

useTwoAdmins()
// Without a threshold nothing waits for a second administrator.
beforeAll(() => changeSettings(platform, 'security', { approvalThreshold: 800 }))

test('a plan is made with its payout in view, edited, and found among the archived ones', async () => {
  await go('plans')
  await page.getByRole('button', { name: 'Create Plan' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Quarry')
  await dialog.getByLabel('Duration').fill('300')
  await dialog.getByLabel('Minimum deposit').fill('100')
  await dialog.getByLabel('Percentage').fill('5')
  await dialog.getByText('7% a year').waitFor()
  await dialog.getByRole('button', { name: 'Create Plan' }).click()
  await page.getByText('Plan created.').waitFor()
  const row = page.getByRole('row', { name: /Quarry/ })
  await row.getByRole('button', { name: /Edit/ }).click()
  await dialog.getByLabel('Minimum deposit').fill('250')
  await dialog.getByRole('button', { name: 'Save Plan' }).click()
  await page.getByText('Plan updated.').waitFor()
  await page.getByRole('row', { name: /Quarry.*\$250 or more/ }).waitFor()
  await row.getByRole('button', { name: /Edit/ }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete the plan' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('Filter plans').selectOption('archived')
  await row.getByRole('button', { name: /Details/ }).click()
  await dialog.getByText('It is no longer on offer.').waitFor()
})

/** 61% a year, which two administrators decide. */
async function writeSteepPlan(name: string): Promise<void> {
  await go('plans')
  await page.getByRole('button', { name: 'Create Plan' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Duration').fill('30')
  await dialog.getByLabel('Minimum deposit').fill('100')
  await dialog.getByLabel('Percentage').fill('5')
  await dialog.getByLabel('Source of the return').fill('Rent of three houses')
  await dialog.getByRole('button', { name: 'Create Plan' }).click()
  await page.getByText('1 waiting').waitFor()
}

const openPlan = (on: Page, name: RegExp) =>
  on.getByRole('row', { name }).getByRole('button').click()

test('a plan with a high return names its source and waits for the second administrator', async () => {
  await writeSteepPlan('Summit')
  const dialog = page.getByRole('dialog')
  const open = (on: Page) => openPlan(on, /Summit/)
  await page.getByLabel('Filter plans').selectOption('waiting')
  await open(page)
  await dialog.getByRole('button', { name: 'Approve the plan' }).click()
  await dialog.getByText('Another administrator must approve this plan').waitFor()

  const second = await openAs(SECOND)
  await go('plans?show=waiting', second)
  await open(second)
  await second.getByRole('dialog').getByText('Rent of three houses').waitFor()
  await second.getByRole('button', { name: 'Approve the plan' }).click()
  await second.getByText('The plan is on offer.').waitFor()
  await second.getByLabel('Filter plans').selectOption('offered')
  await second.getByRole('row', { name: /Summit.*source given/ }).waitFor()
})

test('a plan that waits is rejected by the second administrator, and is on no list of what waits', async () => {
  await writeSteepPlan('Gorge')
  const second = await openAs(SECOND)
  await go('plans?show=waiting', second)
  await openPlan(second, /Gorge/)
  await second.getByRole('button', { name: 'Reject', exact: true }).click()
  await second.getByText('The plan is archived and can no longer be approved.').waitFor()
  await second.getByRole('button', { name: 'Reject the plan' }).click()
  await second.getByText('No plans waiting for approval').waitFor()
  await second.getByLabel('Filter plans').selectOption('archived')
  await openPlan(second, /Gorge/)
  await second.getByRole('dialog').getByText('It is no longer on offer.').waitFor()
  expect(await second.getByRole('button', { name: 'Approve the plan' }).count()).toBe(0)
})
