import { TableSettings } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { expectOk } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

test('the layout of one list is saved without changing that of another', async () => {
  const visitor = await openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active' }),
  )
  const path = '/users/me/preferences'
  const put = (tables: object) => send(gateway, visitor, { method: 'PUT', path, body: { tables } })
  const users = { hidden: ['country'], isCompact: false, views: [] }
  const view = { name: 'Pending', search: 'status=pending' }
  const transactions = { hidden: [], isCompact: true, views: [view] }
  await expectOk(put({ users }))
  await expectOk(put({ transactions }))
  const { preferences } = await expectOk<{ preferences: { tables: object } }>(
    send(gateway, visitor, { method: 'GET', path }),
  )
  expect(preferences.tables).toEqual({ users, transactions })
  expect((await put({ plans: users })).status).toBe(400)
  expect((await put({ users: { ...users, views: Array(21).fill(view) } })).status).toBe(400)
})

describe('writes at the same time', () => {
  const path = '/users/me/preferences'
  const layout = { hidden: ['country'], isCompact: false, views: [] }
  let visitor: Visitor
  beforeEach(async () => {
    visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
  })
  const put = (body: object) => send(gateway, visitor, { method: 'PUT', path, body })

  test('are all kept, also if they are the first', async () => {
    const [further, tables] = [{ ownTransactions: layout }, { users: layout }]
    await Promise.all(
      [{ promotionalOffers: true }, { marketUpdates: true }, { tables }, { furtherTables: further }]
        .map(put)
        .map(expectOk),
    )
    const { preferences } = await expectOk<{ preferences: object }>(
      send(gateway, visitor, { method: 'GET', path }),
    )
    expect(preferences).toMatchObject({
      promotionalOffers: true,
      marketUpdates: true,
      transactionAlerts: true,
      tables,
      furtherTables: further,
    })
  })

  test('do not bring back a consent that was withdrawn in between', async () => {
    await expectOk(put({ marketUpdates: true, tables: { transactions: layout } }))
    const saving = await gateway.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('platform.preference')
        .set({ content: sql`content || '{"marketUpdates": false}'` })
        .where('user_id', '=', visitor.userId)
        .execute()
      const request = put({ tables: { users: layout } })
      await expect.poll(countWaiting).toBe(1)
      return { request }
    })
    const { preferences } = await expectOk<{ preferences: object }>(saving.request)
    expect(preferences).toMatchObject({
      marketUpdates: false,
      tables: { users: layout, transactions: layout },
    })
  })
})

/** Counts the statements that wait for a lock in the database of the gateway. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(gateway.db)
  return rows[0]?.waiting ?? 0
}

describe('the layout of lists that release 0.9.0 does not know', () => {
  const path = '/users/me/preferences'
  const layout = { hidden: ['ip'], isCompact: true, views: [] }
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
  })
  const put = (body: object) => send(gateway, visitor, { method: 'PUT', path, body })
  const readLayouts = async () =>
    (
      await expectOk<{ preferences: { tables: object; furtherTables: object } }>(
        send(gateway, visitor, { method: 'GET', path }),
      )
    ).preferences
  const readContent = async () => {
    const { content } = await gateway.db
      .selectFrom('platform.preference')
      .select('content')
      .where('user_id', '=', visitor.userId)
      .executeTakeFirstOrThrow()
    return content
  }

  test('is stored by list, beside the layout of the other lists', async () => {
    await expectOk(put({ furtherTables: { ownTransactions: layout } }))
    await expectOk(put({ tables: { users: layout } }))
    await expectOk(put({ furtherTables: { ownInvestments: layout } }))
    expect(await readLayouts()).toMatchObject({
      tables: { users: layout },
      furtherTables: { ownTransactions: layout, ownInvestments: layout },
    })
    expect((await put({ furtherTables: { users: layout } })).status).toBe(400)
    expect((await put({ furtherTables: { unknown: layout } })).status).toBe(400)
  })

  test('is not in the JSON that this release reads, because it would refuse it', async () => {
    // The schema of release 0.9.0 for the names of lists.
    const names = z.enum(['users', 'transactions', 'investments'])
    const Content = z.object({ tables: z.partialRecord(names, TableSettings) })
    const content = await readContent()
    expect(Content.parse(content)).toEqual({ tables: { users: layout } })
    expect(content).not.toHaveProperty('furtherTables')
    // Sabotaged twin: beside the other lists, this release would refuse all preferences.
    const tables = { users: layout, ownTransactions: layout }
    expect(Content.safeParse({ tables }).success).toBe(false)
  })

  test('of a later release is kept and answered', async () => {
    await gateway.db
      .updateTable('platform.preference')
      .set({ further_tables: JSON.stringify({ laterList: layout }) })
      .where('user_id', '=', visitor.userId)
      .execute()
    await expectOk(put({ furtherTables: { ownTransactions: layout } }))
    expect((await readLayouts()).furtherTables).toEqual({
      laterList: layout,
      ownTransactions: layout,
    })
  })
})
