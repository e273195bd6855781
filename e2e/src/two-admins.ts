import type { Page } from 'playwright-core'
import { afterAll, beforeEach } from 'vitest'
import { type Login, signIn } from './people.ts'
import { runAdmin } from './second-admin.ts'
import { browser, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWatched } from './watched-window.ts'

/** For tests of two administrators: the first one is signed in where each test begins. */
export function useTwoAdmins(): void {
  useSharedSite()
  beforeEach(() => signIn(page, platform, LOGINS.admin))
  // The settings page cannot end dual control.
  afterAll(() => runAdmin(platform, ['approval-threshold', '--off']))
}

export async function openAs(login: Login): Promise<Page> {
  const opened = await openWatched(browser)
  await signIn(opened, platform, login)
  return opened
}

export async function go(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}
