import type { SigningKey } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

const DAY_MS = 86_400_000
const why = { reason: 'the old key was on a lost machine' }

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const permit = (body: object = why) =>
  scene.call(scene.admin, 'POST', '/admin/ledger/signing-key/rotation', body)

async function readKey(): Promise<SigningKey> {
  const reply = scene.call(scene.admin, 'GET', '/admin/ledger/signing-key')
  return (await expectOk<{ signingKey: SigningKey }>(reply)).signingKey
}

async function requireSignature(): Promise<void> {
  await scene.gateway.ledger.ask('receipt', { seq: 0n })
}

test('GET /admin/ledger/signing-key shows the key; one administrator permits a new one in single mode', async () => {
  await requireSignature()
  const { verifierKey, permittedUntil } = await readKey()
  expect(verifierKey).toMatch(/^[^+]+\+[0-9a-f]{8}\+/)
  expect(permittedUntil).toBeNull()
  expect((await permit({})).status).toBe(400)
  const { signingKey } = await expectOk<{ signingKey: SigningKey }>(permit())
  const days =
    (Date.parse(signingKey.permittedUntil ?? '') - scene.gateway.deps.clock.now()) / DAY_MS
  expect(Math.round(days)).toBe(7)
})

test('POST /admin/ledger/signing-key/rotation needs a second administrator with dual control', async () => {
  const { admin, second, gateway } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  await gateway.moveAllClocks(8 * DAY_MS)
  expect((await readKey()).permittedUntil).toBeNull()
  expect((await permit({ reason: 'short' })).status).toBe(400)
  const asked = await permit()
  const { id, kind } = getRequestedChange(asked)
  expect([asked.status, kind]).toEqual([409, 'signing-key-rotation'])
  expect((await permit({ reason: 'another reason of enough length' })).body.code).toBe(
    'CHANGE_REQUESTED',
  )
  const other = scene.call(second, 'POST', '/admin/ledger/signing-key/rotation', why)
  expect((await other).body.code).toBe('CHANGE_PENDING')
  expect((await readKey()).permittedUntil).toBeNull()
  const own = await approveChange(gateway, admin, id)
  expect(own.body.code).toBe('SECOND_APPROVER_NEEDED')
  const { lines } = await readChange(gateway, second, id)
  const { verifierKey } = await readKey()
  const [, keyId] = (verifierKey ?? '').split('+')
  expect(lines[0]?.before).toContain(keyId)
  await expectOk(approveChange(gateway, second, id))
  expect((await readKey()).permittedUntil).not.toBeNull()
})
