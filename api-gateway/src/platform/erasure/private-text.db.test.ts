import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, type Visitor, visitAs } from '../../../testing/test-gateway.ts'
import { replaceReferencesByTexts, storePrivateText } from './private-text.ts'

const REASON = 'The receipt shows the name of Verena Quint'
const REFERENCE = /^private-text:[0-9a-f]{64}$/

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function addInvestor(): Promise<Visitor> {
  const investor = await visitAs(scene.gateway, 'investor')
  if (investor === null) throw new Error('an investor has a session')
  return investor
}

async function readReason(visitor: Visitor, transactionId: string): Promise<string | null> {
  const { transaction } = await expectOk<{ transaction: { declineReason: string | null } }>(
    scene.call(visitor, 'GET', `/transactions/${transactionId}`),
  )
  return transaction.declineReason
}

async function decline(transactionId: string): Promise<void> {
  const path = `/transactions/${transactionId}/action/decline`
  await expectOk(scene.call(scene.admin, 'PATCH', path, { reason: REASON }))
}

interface Audited {
  entries: { action: string; details: Record<string, unknown> }[]
}

async function readAuditedText(transactionId: string): Promise<string> {
  const { entries } = await expectOk<Audited>(
    scene.call(scene.admin, 'GET', `/admin/audit?subject=${transactionId}`),
  )
  return JSON.stringify(entries)
}

/** Counts the rows that contain the text, in the tables of all schemas. */
async function countTraces(text: string): Promise<number> {
  const { db } = scene.gateway
  const readable = sql<boolean>`has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('identity', 'platform') and ${readable}`.execute(db)
  let count = 0
  for (const { name } of rows) {
    const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(name)} as row
      where row::text like ${`%${text}%`}`.execute(db)
    count += found.rows[0]?.n ?? 0
  }
  return count
}

describe('the reason of a decision', () => {
  test('is shown to people, and is a reference in the ledger and in the audit log', async () => {
    const { gateway, deposit } = scene
    const investor = await addInvestor()
    const id = await deposit(investor, '60')
    await decline(id)
    expect(await readReason(investor, id)).toBe(REASON)
    expect(await readAuditedText(id)).toContain(REASON)
    const { transaction } = await gateway.ledger.unrecorded.ask('transaction', {
      transactionId: id,
    })
    expect(transaction?.reason).toMatch(REFERENCE)
    expect(await countTraces(REASON)).toBe(0)
    // The search finds a text that is stored unsealed, so it would find a leak.
    expect(await countTraces(id)).toBeGreaterThan(0)
  })

  test('is erased for all readers when the person is deleted', async () => {
    const { admin, call, deposit } = scene
    const investor = await addInvestor()
    const id = await deposit(investor, '70')
    await decline(id)
    await expectOk(call(admin, 'DELETE', `/users/${investor.userId}`))
    expect(await readReason(admin, id)).toBe('(erased)')
    const reversal = { reason: REASON, reverse: true }
    const reply = await call(admin, 'PATCH', `/transactions/${id}/action/approve`, reversal)
    expect(reply.status).toBeLessThan(500)
    expect(await countTraces(REASON)).toBe(0)
    expect(await readAuditedText(id)).not.toContain(REASON)
  })
})

describe('the reasons of a change request about a person', () => {
  test('are shown to administrators, and are references in the database until they are erased', async () => {
    const { gateway, admin, second, call } = scene
    await makeApprovers(gateway, [admin.userId, second.userId])
    const target = await visitAs(gateway, 'admin')
    if (target === null) throw new Error('an administrator has a session')
    const asked = await call(admin, 'PATCH', `/users/${target.userId}/status`, {
      status: 'deactivate',
      reason: REASON,
    })
    const { id } = getRequestedChange(asked)
    const rejection = `Not because of this: ${REASON}`
    await expectOk(call(second, 'POST', `/admin/approvals/${id}/reject`, { reason: rejection }))
    expect(await readChange(gateway, admin, id)).toMatchObject({
      reason: REASON,
      failure: rejection,
    })
    type Listed = { notifications: { body: string }[] }
    const { notifications } = await expectOk<Listed>(call(admin, 'GET', '/users/me/notifications'))
    expect(notifications.map(({ body }) => body)).toContain(rejection)
    expect(await readAuditedText(target.userId)).toContain(rejection)
    expect(await countTraces(REASON)).toBe(0)

    await setDualControl(gateway, 'single')
    await expectOk(call(admin, 'DELETE', `/users/${target.userId}`))
    expect(await readChange(gateway, admin, id)).toMatchObject({
      reason: '(erased)',
      failure: '(erased)',
    })
    expect(await readAuditedText(target.userId)).not.toContain(REASON)
  })

  test('of a reset second factor and of a reviewed name are references too', async () => {
    const { gateway, admin, call } = scene
    const investor = await addInvestor()
    const row = gateway.db.updateTable('identity.user').where('id', '=', investor.userId)
    await row.set({ mfa_enabled_at: new Date(), pending_name: 'Verena Quint' }).execute()
    const { userId } = investor
    await expectOk(call(admin, 'POST', `/users/${userId}/reset_mfa`, { proof: REASON }))
    const review = { name: 'Verena Quint', decision: 'reject', reason: REASON }
    await expectOk(call(admin, 'PATCH', `/users/${userId}/name`, review))
    expect(await countTraces(REASON)).toBe(0)
    expect((await readAuditedText(userId)).split(REASON)).toHaveLength(3)
  })
})

describe('a private text', () => {
  test('has one reference for each person', async () => {
    const { db } = scene.gateway
    const nowMs = Date.now()
    const one = await addUser(scene.gateway, { role: 'user', status: 'active' })
    const other = await addUser(scene.gateway, { role: 'user', status: 'active' })
    const storeTestText = (userId: string, text = REASON) =>
      storePrivateText(db, { userId, text, nowMs })
    const reference = await storeTestText(one)
    expect(reference).toMatch(REFERENCE)
    expect(await storeTestText(one)).toBe(reference)
    expect(await storeTestText(other)).not.toBe(reference)
    expect(await storeTestText(one, 'another text')).not.toBe(reference)
  })

  test('cannot be read by a person who types its reference as a reason', async () => {
    const { db } = scene.gateway
    const userId = await addUser(scene.gateway, { role: 'user', status: 'active' })
    const reference = await storePrivateText(db, { userId, text: REASON, nowMs: Date.now() })
    for (const reason of [reference, ` ${reference} `]) {
      const review = { name: 'Ada', decision: 'reject', reason }
      const path = `/users/${userId}/name`
      const { status, body } = await scene.call(scene.admin, 'PATCH', path, review)
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('must not be a reference to a private text')
    }
  })

  test('is revealed only where a string is exactly a reference', async () => {
    const { db } = scene.gateway
    const userId = await addUser(scene.gateway, { role: 'user', status: 'active' })
    const reference = await storePrivateText(db, { userId, text: REASON, nowMs: Date.now() })
    const at = new Date()
    const unknown = `private-text:${'0'.repeat(64)}`
    const value = { at, list: [reference, 1n, null], raw: `"${reference}"`, unknown }
    expect(await replaceReferencesByTexts(db, value)).toEqual({
      at,
      list: [REASON, 1n, null],
      raw: `"${reference}"`,
      unknown: '(erased)',
    })
  })
})
