import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let superuser: pg.Client
beforeAll(async () => {
  gateway = await startTestGateway()
  superuser = new pg.Client({ connectionString: gateway.databaseUrl })
  await superuser.connect()
})
afterAll(async () => {
  await superuser?.end()
  await gateway?.stop()
})

/** Further columns by which the deletion of a person, or a sweep, finds rows. */
const FURTHER = ['identity."user".photo_id', 'platform.contact_message.email']

/**
 * Returns the columns by which the rows of a person are found, without those that an index begins
 * with. An index may leave out the rows in which the column is null.
 */
async function listWithoutIndex(): Promise<readonly string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select attrelid::regclass || '.' || attname as name
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace in ('identity'::regnamespace, 'platform'::regnamespace)
       and relkind = 'r' and not attisdropped
       and (attname in ('user_id', 'owner_id')
         or attrelid::regclass || '.' || attname = any($1::text[]))
       and not exists (
         select from pg_index
         where indrelid = attrelid and indkey[0] = attnum
           and coalesce(pg_get_expr(indpred, indrelid), '') in ('', '(' || attname || ' IS NOT NULL)'))
     order by name`,
    [FURTHER],
  )
  return rows.map(({ name }) => name)
}

test('the rows of a person are found by an index in each table', async () => {
  expect(await listWithoutIndex()).toEqual([])
})

test('its sabotaged twin: a table without such an index is reported', async () => {
  await superuser.query('begin')
  await superuser.query('drop index identity.outbox_by_user, platform.contact_message_by_email')
  expect(await listWithoutIndex()).toEqual([
    'identity.outbox.user_id',
    'platform.contact_message.email',
  ])
  await superuser.query('rollback')
})
