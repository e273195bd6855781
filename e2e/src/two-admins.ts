import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Login, signIn } from './people.ts'
import { runAdmin } from './second-admin.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWatched } from './watched-window.ts'

const HOUR_MS = 3_600_000

/** For tests of two administrators: the first one is signed in where each test begins. */
export function useTwoAdmins(): void {
  useSharedSite()
  beforeAll(async () => {
    // Approvers approve nothing on their first day.
    await platform.moveClock(25 * HOUR_MS)
    await runAdmin(platform, ['dual-control', '--mode', 'required'])
  })
  beforeEach(() => signIn(page, platform, LOGINS.admin))
  // The settings page cannot end dual control alone.
  afterAll(async () => {
    await runAdmin(platform, ['dual-control', '--mode', 'single'])
    await runAdmin(platform, ['approval-threshold', '--off'])
  })
}

export async function openAs(login: Login): Promise<Page> {
  const opened = await openWatched(browser)
  await signIn(opened, platform, login)
  return opened
}

export async function go(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}

/** Opens the request with this title on the page of approvals. */
export async function openRequest(on: Page, title: RegExp): Promise<Locator> {
  await go('approvals', on)
  await on.getByRole('row', { name: title }).getByRole('button').click()
  return on.getByRole('dialog')
}

export async function approveRequest(on: Page, title: RegExp): Promise<void> {
  const dialog = await openRequest(on, title)
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await dialog.getByRole('button', { name: 'Approve the change' }).click()
  await on.getByText('Approved and carried out.').waitFor()
}
