import type { ChangeDetail } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'

const HOUR_MS = 3_600_000

let scene: Scene
let third: Visitor
beforeAll(async () => {
  scene = await startScene()
  const { admin, second, gateway } = scene
  third = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  await makeApprovers(gateway, [admin.userId, second.userId, third.userId])
  await setThreshold(gateway, 10_000n)
})
afterAll(() => scene?.gateway.stop())
// The ledger adds up the amounts that one administrator moves alone within 24 hours.
beforeEach(() => scene.gateway.moveAllClocks(26 * HOUR_MS))

const sendApproval = (who: Visitor, id: string, body: object = {}) =>
  scene.call(who, 'PATCH', `/transactions/${id}/action/approve`, body)
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`

async function findOpenRequest(target: string): Promise<ChangeDetail> {
  const path = `/admin/approvals?state=open&target=${target}`
  const { changeRequests } = await expectOk<{ changeRequests: ChangeDetail[] }>(
    scene.call(scene.admin, 'GET', path),
  )
  const [request] = changeRequests
  if (request === undefined) throw new Error('no change request is open')
  return request
}

describe('a change request that another administrator has decided', () => {
  test('is answered as approved while the ledger does not answer its command', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendApproval(admin, id))
    gateway.ledger.answerWith = ({ actor }) =>
      actor === 'system:change-requests'
        ? { outcome: 'failed', code: 'UNAVAILABLE', message: 'stopped' }
        : null
    expect((await sendApproval(second, id)).status).toBe(503)
    const decided = '409 CHANGE_DECIDED: This change request is already approved'
    expect(formatReply(await sendApproval(third, id))).toBe(decided)
    expect(formatReply(await sendApproval(admin, id))).toBe(decided)
    // The second approver repeats the approval, which carries out the request.
    gateway.ledger.answerWith = () => null
    expect(await expectOk(sendApproval(second, id))).toMatchObject({
      transaction: { status: 'success' },
    })
    await expectOk(sendApproval(third, id))
  })

  test('is read again if it was withdrawn after it was read', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendApproval(admin, id))
    const { id: request } = await findOpenRequest(id)
    const approving = await gateway.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('platform.change_request')
        .set({ state: 'withdrawn', decided_by: admin.userId, decided_at: new Date() })
        .where('id', '=', request)
        .execute()
      const reply = sendApproval(second, id)
      await expect.poll(countWaitingForLock).toBe(1)
      // The promise is in an object, because the approval ends only after this transaction.
      return { reply }
    })
    expect(await expectOk(approving.reply)).toMatchObject({
      transaction: { status: 'pending', isApprovedOnce: true },
    })
    expect(await findOpenRequest(id)).toMatchObject({ createdBy: { id: second.userId } })
  })
})

async function countWaitingForLock(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(scene.gateway.db)
  return rows[0]?.count ?? 0
}
