import type { Page } from 'playwright-core'
import { beforeAll, beforeEach } from 'vitest'
import { loginAs } from './api-client.ts'
import { browser, page, platform } from './own-platform.ts'
import { addSecondAdmin } from './second-admin.ts'
import { LOGINS } from './site-pages.ts'
import { logIn } from './visit.ts'
import { openWatched } from './watched-window.ts'

// A file of tests that imports this has a platform of its own with a second administrator, and the
// first one is logged in where each test begins.
beforeAll(() => addSecondAdmin(platform))
beforeEach(() => logIn(page, platform.url, LOGINS.admin))

export async function openAs(login: { email: string; password: string }): Promise<Page> {
  const opened = await openWatched(browser)
  await logIn(opened, platform.url, login)
  return opened
}

export async function go(path: string, on = page): Promise<void> {
  await on.goto(`${platform.url}/manage/admin/${path}`)
}

export async function investorId(): Promise<string> {
  const { email, password } = LOGINS.investor
  const api = await loginAs(platform.url, email, password)
  return (await api.get('users/me')).body.data.user.id
}
