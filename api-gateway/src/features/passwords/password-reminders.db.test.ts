import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolTotp, logInNewBrowser, readMails, visit } from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { createSettings } from '../../platform/settings-store/site-settings.ts'
import { remindOfPasswords } from './password-reminders.ts'

const DAY_MS = 86_400_000

let gateway: TestGateway
let worker: Database
beforeAll(async () => {
  gateway = await startTestGateway()
  const url = new URL(gateway.databaseUrl)
  // Connects with the rights of the worker.
  url.searchParams.set('options', '-c role=cairn_gateway_worker')
  worker = openDatabase({ url: url.href, applicationName: 'test', onError: () => {} })
})
afterAll(async () => {
  await worker.destroy()
  await gateway.stop()
})

test('reminders are mailed once at 14 and 3 days, and not with a second factor', async () => {
  const { seal, clock } = gateway.deps
  const settings = createSettings(worker, { isDemo: false, publicUrl: 'http://gateway.test' })
  const runReminders = () => remindOfPasswords({ db: worker, clock, seal, settings })
  const { userId } = await visit(gateway, 'investor')
  const safe = await visit(gateway, 'investor')
  await enrolTotp(gateway, await logInNewBrowser(gateway, safe.email))
  const listReminderDays = async (id: string) =>
    (await readMails(gateway, id))
      .filter(({ kind }) => kind === 'password-expiring')
      .map(({ content }) => content.days)

  gateway.moveClock(75 * DAY_MS)
  await runReminders()
  expect(await listReminderDays(userId)).toEqual([])
  gateway.moveClock(1.5 * DAY_MS)
  await Promise.all([runReminders(), runReminders(), runReminders()])
  expect(await listReminderDays(userId)).toEqual(['14'])
  gateway.moveClock(11 * DAY_MS)
  await runReminders()
  await runReminders()
  expect(await listReminderDays(userId)).toEqual(['3', '14'])
  gateway.moveClock(10 * DAY_MS)
  await runReminders()
  expect(await listReminderDays(userId)).toEqual(['3', '14'])
  expect(await listReminderDays(safe.userId)).toEqual([])
})
