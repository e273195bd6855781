import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { setSettings } from '../../../testing/test-browser.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('a referral link begins with the site address in the settings, wherever it is shown', async () => {
  const { gateway, investor } = scene
  await setSettings(gateway, { general: { siteUrl: 'https://rock.example' } })
  const { user } = await expectOk<{ user: { accountId: string; referralLink: string } }>(
    scene.call(investor, 'GET', '/users/me'),
  )
  const { meta } = await expectOk<{ meta: { link: string } }>(
    scene.call(investor, 'GET', '/users/me/referrals'),
  )
  const link = `https://rock.example/users/register?refid=${user.accountId}`
  expect([user.referralLink, meta.link]).toEqual([link, link])
})
