import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Login, signIn } from './people.ts'
import { runAdminCommand } from './second-admin.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWatched } from './watched-window.ts'

const HOUR_MS = 3_600_000

/** Makes dual control required. Each test starts with a window of the first administrator. */
export function useTwoAdmins(): void {
  useSharedSite()
  beforeAll(async () => {
    // The approvals of an administrator count only from 24 hours after the administrator was added
    // as an approver.
    await platform.moveClock(25 * HOUR_MS)
    await runAdminCommand(platform, ['dual-control', '--mode', 'required'])
  })
  beforeEach(() => signIn(page, platform, LOGINS.admin))
  // The command line on the server ends dual control, because one administrator alone cannot end
  // dual control on the settings page.
  afterAll(async () => {
    await runAdminCommand(platform, ['dual-control', '--mode', 'single'])
    await runAdminCommand(platform, ['approval-threshold', '--off'])
  })
}

export async function openAs(login: Login): Promise<Page> {
  const opened = await openWatched(browser)
  await signIn(opened, platform, login)
  return opened
}

export async function openAdminPage(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}

/** Opens the change request with this title on the approvals page. */
export async function openRequest(on: Page, title: RegExp): Promise<Locator> {
  await openAdminPage('approvals', on)
  await on.getByRole('row', { name: title }).getByRole('button').click()
  return on.getByRole('dialog')
}

export async function approveRequest(on: Page, title: RegExp): Promise<void> {
  const dialog = await openRequest(on, title)
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await dialog.getByRole('button', { name: 'Approve the change' }).click()
  await on.getByText('Approved and carried out.').waitFor()
}
