import { addDays, getDayIn } from '@cairn/gateway-contracts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { setSettings } from '../../../testing/test-browser.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'
import { readFacts } from './facts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function attest(admin: Visitor, asOf: string, assets = '5.00') {
  const fields = { asOf, assets }
  const request = { method: 'POST', path: '/admin/attestations', field: 'document', fields }
  return scene.upload(admin, request)
}

test('the newest of two attestations of a day counts', async () => {
  const { gateway, admin, second } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  for (const assets of ['70.00', '65.00']) {
    const { id } = getRequestedChange(await attest(admin, '2026-01-31', assets))
    await expectOk(approveChange(gateway, second, id))
  }
  // With statistics, the planner reads the few rows without the index, which also orders the ids.
  const superuser = new pg.Client(gateway.databaseUrl)
  await superuser.connect()
  await superuser.query('analyze platform.attestation')
  await superuser.end()
  const { attestation } = await readFacts(gateway.deps, gateway.deps.clock.now())
  expect(attestation).toMatchObject({ asOf: '2026-01-31', assetsMinor: 65_00n })
})

test.each([
  ['Pacific/Kiritimati', 12, 1],
  ['Pacific/Pago_Pago', 5, -1],
])('the day of an attestation is at most today in %s', async (timezone, hour, aheadDays) => {
  const { gateway } = scene
  const { clock } = gateway.deps
  gateway.moveClock(DAY_MS - (clock.now() % DAY_MS) + hour * HOUR_MS)
  const today = getDayIn(timezone, clock.now())
  expect(today).toBe(addDays(getDayIn('UTC', clock.now()), aheadDays))
  await setSettings(gateway, { general: { timezone } })
  const admin = await openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active', roles: ['finance'] }),
  )
  expect(getRequestedChange(await attest(admin, today)).id).toEqual(expect.any(String))
  expect(await attest(admin, addDays(today, 1))).toMatchObject({
    status: 400,
    body: { errors: [{ asOf: 'The day is in the future' }] },
  })
})
