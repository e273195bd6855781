import { setTimeout as delay } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRows, type RowReader } from './copy-rows.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function collectRows<Row>(pages: AsyncGenerator<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

const ODD = `select -9223372036854775807::bigint, -5::int, 'é € "\\'::text, '\\x00ff'::bytea,
  null::bytea, '\\xcd'::bytea, '1999-12-31 23:59:59.999999Z'::timestamptz,
  '2026-11-21 08:00:00.000001Z'::timestamptz`

function readEveryType(reader: RowReader) {
  return {
    big: reader.readInt8(),
    small: reader.readInt4(),
    text: reader.readText(),
    bytes: reader.readBytes().toString('hex'),
    none: reader.readHexOrNull(),
    hex: reader.readHex(),
    before: reader.readMicroseconds(),
    after: reader.readMicroseconds(),
  }
}

test('every type is read with its exact value', async () => {
  const [row] = await collectRows(copyRows(client, ODD, readEveryType))
  expect(row).toEqual({
    big: -9223372036854775807n,
    small: -5,
    text: 'é € "\\',
    bytes: '00ff',
    none: null,
    hex: 'cd',
    before: 946684799999999,
    after: 1795248000000001,
  })
})

test('the server waits for a slow reader, and no row is lost or out of order', async () => {
  const select = `select n::int, repeat('x', 500) from generate_series(1, 50000) as n`
  const read: number[] = []
  let mostWaiting = 0
  for await (const page of copyRows(client, select, (row) => row.readInt4())) {
    mostWaiting = Math.max(mostWaiting, page.length)
    read.push(...page)
    await delay(2)
  }
  expect(read).toEqual(Array.from({ length: 50_000 }, (_, index) => index + 1))
  // The reader pauses the socket, so only the rows that arrived before the pause can wait in
  // memory.
  expect(mostWaiting).toBeLessThan(10_000)
})

test('an error of the server is thrown, and the connection stays usable', async () => {
  await expect(
    collectRows(copyRows(client, 'select 1 / 0', (row) => row.readInt4())),
  ).rejects.toThrow('division by zero')
  expect(await collectRows(copyRows(client, 'select 7', (row) => row.readInt4()))).toEqual([7])
})

test('a connection that ends in the middle is a failure, not an end', async () => {
  const other = new pg.Client({ connectionString: database.url })
  other.on('error', () => {})
  await other.connect()
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  const select = 'select generate_series(1, 100000000)'
  const pages = copyRows(other, select, (row) => row.readInt4())
  await pages.next()
  await client.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await expect(collectRows(pages)).rejects.toThrow()
})
