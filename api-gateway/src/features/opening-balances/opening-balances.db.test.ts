import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

const DAY_MS = 86_400_000
const sha256 = 'ab'.repeat(32)
const reason = 'the balances of the former system'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const permitFile = (body: object) => scene.call(scene.admin, 'POST', '/admin/ledger/imports', body)

/** Returns the hashes of the files that the log permits. */
async function listPermitted(): Promise<readonly unknown[]> {
  const page = { after: 0n, waitSeconds: 0, limit: 500 }
  const { events } = await scene.gateway.ledger.events(page)
  return events.flatMap(({ type, data }) => (type === 'ImportPermitted' ? [data.fileSha256] : []))
}

test('POST /admin/ledger/imports permits a file by its hash, which is checked', async () => {
  expect((await permitFile({ sha256: 'abc', reason })).status).toBe(400)
  expect((await permitFile({ sha256 })).status).toBe(400)
  await expectOk(permitFile({ sha256: sha256.toUpperCase(), reason }))
  expect(await listPermitted()).toEqual([sha256])
})

test('with dual control, a second administrator compares the hash and approves', async () => {
  const { admin, second, gateway } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  const other = 'cd'.repeat(32)
  await gateway.moveAllClocks(2 * DAY_MS)
  expect((await permitFile({ sha256: other, reason: 'short' })).status).toBe(400)
  const asked = await permitFile({ sha256: other, reason })
  const { id, kind } = getRequestedChange(asked)
  expect([asked.status, kind]).toEqual([409, 'balance-import'])
  const repeated = await permitFile({ sha256: other, reason: 'another reason of enough length' })
  expect(repeated.body.code).toBe('CHANGE_REQUESTED')
  const own = await approveChange(gateway, admin, id)
  expect(own.body.code).toBe('SECOND_APPROVER_NEEDED')
  const { lines } = await readChange(gateway, second, id)
  expect(lines[0]?.after).toBe(other)
  expect(await listPermitted()).toEqual([sha256])
  await expectOk(approveChange(gateway, second, id))
  expect(await listPermitted()).toEqual([sha256, other])
})
