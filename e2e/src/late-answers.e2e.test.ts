import { beforeEach, expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { addInvestor, addPendingInvestor, signIn } from './people.ts'
import { page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

beforeEach(() => signIn(page, platform, LOGINS.admin))

/** Holds the answer to the next call of the path. Returns the function that lets the call go on. */
async function holdAnswer(path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = async (route: { continue(): Promise<void> }) => {
    await promise
    await route.continue()
  }
  await page.route(path, hold, { times: 1 })
  return resolve
}

test('a late answer to a denial leaves the reason of the investment that was opened meanwhile', async () => {
  const person = await addInvestor(platform, { name: 'Lata Example' })
  const api = await logInAs(platform.url, person.email, person.password)
  const { body } = await api.get('plans')
  const plan = body.data.plans.find((each: { minDeposit: number }) => each.minDeposit <= 200)
  const ids: string[] = []
  for (const amount of [200, 201]) {
    const opened = await api.send('POST', 'users/me/investments', { plan: plan.id, amount })
    expect(opened.status, JSON.stringify(opened.body)).toBe(201)
    ids.push(opened.body.data.investment.id)
  }
  const [denied = '', other = ''] = ids

  const openInvestment = async (id: string) => {
    await page.goto(`${platform.url}/manage/admin/investments?q=${person.email}&investment=${id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click()
  }
  await openInvestment(denied)
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Reason').fill('Opened by mistake')
  const answer = await holdAnswer(/\/investments\/[^/]+\/status/)
  await panel.getByRole('button', { name: 'Deny the investment' }).click()
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Discard' }).click()
  await panel.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /\$201\.00/ })
    .getByRole('button', { name: /Details of/ })
    .click()
  await panel.getByRole('button', { name: 'Deny', exact: true }).click()
  await panel.getByLabel('Reason').fill('A reason that is being written')
  answer()
  await page.getByText('The investment is denied.').first().waitFor()
  expect(new URL(page.url()).searchParams.get('investment')).toBe(other)
  expect(await panel.getByLabel('Reason').inputValue()).toBe('A reason that is being written')
})

test('a late answer to an approval leaves the dialog of the user that was opened meanwhile', async () => {
  const [first, second] = await Promise.all([
    addPendingInvestor(platform, 'Lateral First'),
    addPendingInvestor(platform, 'Lateral Second'),
  ])
  await page.goto(`${platform.url}/manage/admin/users?status=pending&q=Lateral`)
  await page.getByRole('button', { name: `Approve ${first.name}` }).click()
  const dialog = page.getByRole('dialog')
  const answer = await holdAnswer(/\/users\/[^/]+\/status/)
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Deny ${second.name}` }).click()
  await dialog.getByText('Deny access?').waitFor()
  answer()
  await page.getByText("User's status changed successfully!").first().waitFor()
  await dialog.getByText('Deny access?').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.waitFor({ state: 'detached' })
})
