import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitConfirmed } from '../service/database/confirmed.ts'
import { type ConnectionPair, createConnectionPairs } from './connection-pairs.ts'

let database: TestDatabase
let superuser: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase()
  superuser = new pg.Pool({ connectionString: database.url, max: 1 })
})
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

const open = (max: number) =>
  createConnectionPairs({ databaseUrl: database.urlFor('cairn_ledger'), max })

async function listConnections(): Promise<readonly string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where application_name like 'ledger-%' and datname = current_database() order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('ledgers share the pairs when all pairs are open, and the last one closes its pair', async () => {
  const openPair = open(2)
  const pairs = await Promise.all([1, 2, 3, 4, 5].map(openPair))
  expect(await listConnections()).toEqual(['ledger-1', 'ledger-1', 'ledger-2', 'ledger-2'])
  const [first, second, third, fourth, fifth] = pairs as [
    ConnectionPair,
    ConnectionPair,
    ConnectionPair,
    ConnectionPair,
    ConnectionPair,
  ]
  expect([third.writer, fourth.writer, fifth.writer]).toEqual([
    first.writer,
    second.writer,
    first.writer,
  ])
  await Promise.all([first.release(), first.release(), second.release(), fourth.release()])
  await expect.poll(listConnections).toEqual(['ledger-1', 'ledger-1'])
  await fifth.writer.query('select 1')
  await Promise.all([third.release(), fifth.release()])
  await expect.poll(listConnections).toEqual([])
})

test('a pair that has lost a connection takes no more ledgers', async () => {
  const openPair = open(1)
  const first = await openPair(1)
  const ended = new Promise((end) => first.reader.once('end', end))
  await superuser.query('select pg_terminate_backend($1)', [await readPid(first.reader)])
  await ended
  const second = await openPair(2)
  expect(second.writer).not.toBe(first.writer)
  await Promise.all([first.release(), second.release()])
  await expect.poll(listConnections).toEqual([])
})

test('a failed connection is not kept', async () => {
  const url = new URL(database.urlFor('cairn_ledger'))
  url.password = 'wrong'
  const openPair = createConnectionPairs({ databaseUrl: url.href, max: 1 })
  await expect(openPair(1)).rejects.toThrow('password')
  await expect(openPair(1)).rejects.toThrow('password')
  expect(await listConnections()).toEqual([])
})

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Runs a commit that receives a notice together with one that receives none. */
async function commitTogether(
  run: (pair: ConnectionPair, work: () => Promise<unknown>) => Promise<unknown>,
) {
  const openPair = open(1)
  const [one, other] = [await openPair(1), await openPair(2)]
  const commit = (pair: ConnectionPair, text: string) =>
    run(pair, () => commitConfirmed(pair.writer, () => pair.writer.query(text)))
  const outcomes = await Promise.allSettled([
    commit(one, `do $$ begin raise warning 'canceling wait' ; end $$`),
    commit(other, 'select 1'),
  ])
  await Promise.all([one.release(), other.release()])
  return outcomes.map(({ status }) => status)
}

test('a notice belongs to the ledger whose commit received it', async () => {
  expect(await commitTogether((pair, work) => pair.runOnWriter(work))).toEqual([
    'rejected',
    'fulfilled',
  ])
})

test('sabotaged twin: without an order, a ledger gets the notice of another one', async () => {
  expect(await commitTogether((_, work) => work())).toEqual(['rejected', 'rejected'])
})
