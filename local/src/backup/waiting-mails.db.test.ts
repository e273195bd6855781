import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { discardWaitingMails } from './waiting-mails.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // The session ignores foreign keys, because the test creates no users for its mails. The test
  // also creates the tables that pg-boss would create at its first start.
  await client.query(`set session_replication_role = replica;
    create type platform_jobs.state as enum ('created', 'retry', 'active', 'completed', 'failed');
    create table platform_jobs.job (name text, state platform_jobs.state);
    insert into platform_jobs.job values
      ('mail.send', 'created'), ('mail.send', 'completed'), ('other', 'created');
    insert into identity.outbox (id, kind, user_id, sealed, created_at, sent_at) values
      ('waiting', 'new-login', 'ada', 'x', now(), null), ('sent', 'new-login', 'ada', null, now(), now());
    insert into platform.announcement_mail values ('news', 'ada'), ('news', 'ben');
    insert into ledger.head values
      (1, 50, sha256(''), '', 0, sha256(''), 1, 0, 1, now()),
      (2, 30, sha256(''), '', 0, sha256(''), 1, 0, 1, now());
    insert into platform.cursor values ('mail.v1', 40, now()), ('mail.v1@2', 20, now()),
      ('charts.v1', 40, now()), ('charts.v1@2', 20, now())`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const list = async (text: string) => (await client.query(text)).rows.map(({ value }) => value)
const listWaitingMails = () =>
  list(
    'select id as value from identity.outbox where sealed is not null or handed_over_at is null and sent_at is null',
  )

test('mails that waited at an earlier time are not sent again', async () => {
  // Sabotaged twin: without a call of `discardWaitingMails`, the mails stay in the outbox, and the
  // restored platform would send them again.
  expect(await listWaitingMails()).toEqual(['waiting'])
  expect(await discardWaitingMails(database.url, { ledger: 1 })).toBe(3)
  expect(await list('select user_id as value from platform.announcement_mail')).toEqual([])
  expect(await listWaitingMails()).toEqual([])
  const jobs = `select name || ' ' || state as value from platform_jobs.job order by 1`
  expect(await list(jobs)).toEqual(['mail.send completed', 'other created'])
  // The cursors of the mails move past the events whose mails were sent. The cursors of the charts
  // stay, because the charts must be computed again.
  const cursors = `select name || ' ' || seq as value from platform.cursor order by 1`
  expect(await list(cursors)).toEqual([
    'charts.v1 40',
    'charts.v1@2 20',
    'mail.v1 49',
    'mail.v1@2 29',
  ])
  expect(await discardWaitingMails(database.url, { ledger: 1 })).toBe(0)
})
