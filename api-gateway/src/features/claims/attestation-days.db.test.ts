import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'
import { readFacts } from './facts.ts'

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
