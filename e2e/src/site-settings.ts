import { type ApiClient, logInAs } from './api-client.ts'
import type { TestPlatform } from './platform.ts'
import { LOGINS } from './site-pages.ts'

type Group = 'general' | 'security' | 'payment'

/**
 * Changes settings as the settings page does. Logs in each time, because moving the clock ends
 * sessions.
 */
export async function changeSettings(
  platform: TestPlatform,
  group: Group,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { email, password } = LOGINS.admin
  const admin: ApiClient = await logInAs(platform.url, email, password)
  const { settings } = (await admin.get('admin/settings')).body.data
  const changed = { ...settings, [group]: { ...settings[group], ...changes } }
  const answer = await admin.send('POST', 'admin/settings', changed)
  if (answer.status !== 200) throw new Error(`settings: ${JSON.stringify(answer.body)}`)
}
