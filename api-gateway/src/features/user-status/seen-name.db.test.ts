import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDuring } from '../../../testing/run-during.ts'
import { type Browser, logInNewBrowser, visit } from '../../../testing/test-browser.ts'
import {
  addUser,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { getUserRow } from '../users/index.ts'

const OTHER = 'Another Name'

let gateway: TestGateway
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await visit(gateway, 'admin')
})
afterAll(() => gateway?.stop())

/** Adds a person who waits for an approval, with a browser in which the person is logged in. */
async function addPending(): Promise<{ id: string; name: string; browser: Browser }> {
  const id = await addUser(gateway, { role: 'user', status: 'pending' })
  const { name, email } = await getUserRow(gateway.db, id)
  return { id, name, browser: await logInNewBrowser(gateway, email) }
}

async function saveName({ browser, id }: { browser: Browser; id: string }, name: string) {
  const { email } = await getUserRow(gateway.db, id)
  return await browser.call('PUT', '/users/update-profile', { name, email })
}

const approve = (id: string, seen: { name?: string }) =>
  send(gateway, admin, {
    method: 'PATCH',
    path: `/users/${id}/status`,
    body: { status: 'approve', ...seen },
  })

const set = (id: string, columns: { name: string } | { status: 'active' }) =>
  async function change(trx: DatabaseTransaction) {
    await trx.updateTable('identity.user').set(columns).where('id', '=', id).execute()
  }

async function readNames(id: string) {
  const { status, name, pending_name: pendingName } = await getUserRow(gateway.db, id)
  return { status, name, pendingName }
}

describe('a new name', () => {
  test('that is saved during the approval waits for a review', async () => {
    const person = await addPending()
    const { id, name } = person
    const saved = await runDuring(gateway, set(id, { status: 'active' }), () =>
      saveName(person, OTHER),
    )
    expect(saved.status).toBe(200)
    expect(await readNames(id)).toEqual({ status: 'active', name, pendingName: OTHER })
  })

  test('that is saved during its own review is not reviewed again', async () => {
    const person = await addPending()
    const { id } = person
    await gateway.db.transaction().execute(set(id, { status: 'active' }))
    await runDuring(gateway, set(id, { name: OTHER }), () => saveName(person, OTHER))
    expect(await readNames(id)).toEqual({ status: 'active', name: OTHER, pendingName: null })
  })
})

describe('an approval', () => {
  test('of a name that the administrator has not seen is refused', async () => {
    const person = await addPending()
    const { id, name } = person
    await saveName(person, OTHER)
    const refused = { status: 409, body: { code: 'NAME_CHANGED' } }
    expect(await approve(id, { name })).toMatchObject(refused)
    expect(await readNames(id)).toEqual({ status: 'pending', name: OTHER, pendingName: null })
    expect((await approve(id, { name: OTHER })).status).toBe(200)
    expect(await readNames(id)).toMatchObject({ status: 'active', name: OTHER })
  })

  test('compares the name under the lock', async () => {
    const { id, name } = await addPending()
    const reply = await runDuring(gateway, set(id, { name: OTHER }), () => approve(id, { name }))
    expect(reply).toMatchObject({ status: 409, body: { code: 'NAME_CHANGED' } })
    expect(await readNames(id)).toMatchObject({ status: 'pending', name: OTHER })
    const activation = { type: 'ActivateInvestor', data: { investorId: id, referrerId: null } }
    expect(gateway.ledger.commands).not.toContainEqual(expect.objectContaining(activation))
  })

  test('sabotaged twin: without the seen name, as a client of 0.9.0 sends it, verifies any name', async () => {
    const person = await addPending()
    await saveName(person, OTHER)
    expect((await approve(person.id, {})).status).toBe(200)
    expect(await readNames(person.id)).toMatchObject({ status: 'active', name: OTHER })
  })
})
