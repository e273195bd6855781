import { beforeEach, expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { addAdmin, addInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { runAdminCommand, SECOND } from './second-admin.ts'
import { browser, page, platform } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { approveRequest, openAdminPage, openAs, openRequest, useTwoAdmins } from './two-admins.ts'
import { openWindow, waitUntilLoaded, watchRequests } from './visit.ts'

useTwoAdmins()

let support: Awaited<ReturnType<typeof addAdmin>>
beforeEach(async () => {
  support = await addAdmin(platform, { name: 'Sam Support', role: 'support' })
})

test('menu, palette and pages follow the permissions, and actions without permission are hidden', async () => {
  const investor = await addInvestor(platform)
  const { id } = await requestDeposit(platform, investor, '31')
  const own = await openAs(support)
  await openAdminPage('dashboard', own)
  const menu = own.getByRole('navigation', { name: 'Administration' })
  await menu.getByRole('link', { name: 'Messages' }).waitFor()
  expect(await menu.getByRole('link', { name: 'Jobs' }).count()).toBe(0)
  await expect.poll(() => menu.getByRole('link', { name: 'Payment Options' }).count()).toBe(1)
  await own.keyboard.press('Control+k')
  await own
    .getByPlaceholder('Find people, transactions, investments, plans, pages')
    .fill('Audit log')
  await own.getByText('No matching pages or actions').waitFor()
  await own.keyboard.press('Escape')

  await openAdminPage('jobs', own)
  await own.getByRole('heading', { name: 'You do not have access' }).waitFor()
  await openAdminPage(`transactions?transaction=${id}`, own)
  await own.getByRole('dialog').getByRole('heading', { name: 'History' }).waitFor()
  expect(await own.getByRole('button', { name: 'Approve', includeHidden: true }).count()).toBe(0)

  await openAdminPage(`users/${investor.id}`, own)
  await own.getByRole('tab', { name: 'Notes' }).waitFor()
  expect(await own.getByRole('button', { name: 'Fund User' }).count()).toBe(0)
  expect(await own.getByRole('button', { name: 'Deactivate' }).count()).toBe(0)
  await own.getByText('•••• 3040').waitFor()
})

test('the pages of a support administrator link to no forbidden page and send no refused request', async () => {
  const investor = await addInvestor(platform)
  const { id } = await requestDeposit(platform, investor, '32')
  const own = await openAs(support)
  const open = watchRequests(own)
  const refused: string[] = []
  own.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url())
  })
  const visit = async (path: string) => {
    await openAdminPage(path, own)
    await waitUntilLoaded(own)
    await expect.poll(() => open.size).toBe(0)
  }
  const forbidden = own.locator('a[href^="/manage/admin/ledger"], a[href^="/manage/admin/jobs"]')
  await visit('dashboard')
  await own.getByRole('main').locator('a[href="/status"]').waitFor()
  expect(await forbidden.count()).toBe(0)
  await visit(`transactions?transaction=${id}`)
  await own
    .getByRole('dialog')
    .getByText(/event [\d,]+ of the ledger/)
    .waitFor()
  expect(await forbidden.count()).toBe(0)
  await visit('investments')
  await own
    .getByRole('button', { name: /Details/ })
    .first()
    .click()
  await own
    .getByRole('dialog')
    .getByText(/event [\d,]+ of the ledger/)
    .first()
    .waitFor()
  expect(await forbidden.count()).toBe(0)
  for (const path of [`users/${investor.id}`, 'plans', 'payment_options']) {
    await visit(path)
    expect(await forbidden.count(), path).toBe(0)
  }
  expect(refused).toEqual([])
})

test('two owners change the roles of another administrator, whose open page follows', async () => {
  const own = await openAs(support)
  await openAdminPage('messages', own)
  await own.getByRole('heading', { name: 'Messages', level: 1 }).waitFor()
  await openAdminPage(`users/${support.id}`)
  await page.getByRole('button', { name: 'Change roles' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Support').uncheck()
  await dialog.getByRole('button', { name: 'Save roles' }).click()
  await dialog.getByText('Choose at least one role').waitFor()
  await dialog.getByLabel('Auditor').check()
  await dialog.getByLabel('Last day as auditor').fill('2099-12-31')
  await dialog.getByLabel('Reason').fill('Sam now checks the books')
  await dialog.getByRole('button', { name: 'Save roles' }).click()
  await dialog.getByText('Sent for approval.').waitFor()
  const second = await openAs(SECOND)
  const request = await openRequest(second, /Roles of Sam Support/)
  await request.getByText('Sam now checks the books').waitFor()
  await approveRequest(second, /Roles of Sam Support/)
  await own.getByRole('heading', { name: 'You do not have access' }).waitFor()
  await openAdminPage('ledger', own)
  await own.getByRole('heading', { name: 'Ledger events', level: 1 }).waitFor()
})

test('the server command gives the named role, and refuses an unknown one', async () => {
  const create = (name: string, role: string) => {
    const email = `${name.toLowerCase()}@cairn.example`
    return runAdminCommand(platform, ['create', '--email', email, '--name', name, '--role', role])
  }
  await create('Fiona', 'finance')
  await expect(create('Uma', 'unknown')).rejects.toThrow(/Invalid option/)
  const api = await openAdminApi(platform)
  const { administrators } = (await api.get('admin/roles')).body.data
  const roles = administrators.find(({ name }: { name: string }) => name === 'Fiona')?.roles
  expect(roles).toMatchObject([{ role: 'finance', endsAt: null }])
})

test('the roles page fits a phone and a desktop screen in both themes', async () => {
  for (const width of [390, 1440]) {
    for (const theme of ['light', 'dark'] as const) {
      const window = await openWindow(browser, { width, height: 900, theme })
      await signIn(window, platform, LOGINS.admin)
      await openAdminPage('roles', window)
      await waitUntilLoaded(window)
      await window.getByRole('rowheader', { name: /Approve, decline and reverse/ }).waitFor()
      await window.getByRole('link', { name: 'Two administrators required' }).waitFor()
      expect(await findViolations(window)).toEqual([])
      const isWider = await window.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      )
      expect(isWider).toBe(false)
      if (process.env.SHOTS !== undefined) {
        const path = `${process.env.SHOTS}/roles-${width}-${theme}.png`
        await window.screenshot({ path, fullPage: true })
      }
      await window.context().close()
    }
  }
})
