import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDuring } from '../../../testing/run-during.ts'
import {
  createApp,
  logIn,
  logInNewBrowser,
  openBrowser,
  skipEndingTotpStep,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { activateTotp } from './mfa.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

test('a set-up in flight does not replace the secret of an app that was switched on', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const setUp = () => browser.call('POST', '/users/me/mfa/setup')
  const { secret } = (await setUp()).body.data as unknown as { secret: string }
  const switchOn = async (trx: DatabaseTransaction) => {
    await activateTotp(trx, { userId, nowMs: gateway.deps.clock.now() })
  }
  const reply = await runDuring(gateway, switchOn, setUp)
  expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_ALREADY_ON' } })
  const later = openBrowser(gateway)
  await logIn(later, email)
  skipEndingTotpStep(gateway)
  const code = createApp(gateway, secret).getCode()
  expect((await later.call('POST', '/users/login/mfa', { code })).status).toBe(200)
})
