import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../service/database/pool.ts'
import { encodeBinaryArray } from './binary-array.ts'
import type { ColumnType } from './table.ts'

let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  pool = createPool({ url: database.url, max: 1, name: 'arrays' })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const BEFORE_2000 = Date.UTC(1969, 6, 20, 20, 17, 40, 123)
const VALUES: Record<ColumnType, readonly unknown[]> = {
  text: ['', 'plain', null, '"\\{,}', 'x'.repeat(65_535)],
  int4: [0, 1, -1, null, 2_147_483_647, -2_147_483_648],
  int8: [0n, -1n, null, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  bool: [true, false, null],
  timestamptz: [0, BEFORE_2000, null, 946_684_800_000, Date.UTC(2026, 10, 22, 1, 2, 3, 999)],
  bytea: [Buffer.alloc(0), Buffer.from([0, 255, 92]), null, Buffer.alloc(70_000, 7)],
  jsonb: ['{"a":"ü"}', null, '[]'],
}

async function read(type: ColumnType, values: readonly unknown[]): Promise<readonly unknown[]> {
  const sqlType = type === 'jsonb' ? 'text' : type
  const { rows } = await pool.query({
    text: `select value from unnest($1::${sqlType}[]) with ordinality as each(value, place) order by place`,
    values: [encodeBinaryArray(type, values)],
  })
  return rows.map(({ value }) => value)
}

test.each(Object.entries(VALUES))(
  'the database reads every %s that is written',
  async (type, values) => {
    // The cast is safe, because Object.entries returns the keys as plain strings.
    expect(await read(type as ColumnType, values)).toEqual(values)
    expect(await read(type as ColumnType, [])).toEqual([])
  },
)

test.each([
  ['int4', 2_147_483_648],
  ['int4', 0.5],
  ['int8', 2n ** 63n],
  ['int8', -(2n ** 63n) - 1n],
  ['timestamptz', Number.NaN],
] as const)('an %s of %s is not written as another number', (type, value) => {
  expect(() => encodeBinaryArray(type, [value])).toThrow(RangeError)
})

test.each([
  ['letters beyond ASCII', ['plain', 'Łukasz 李伟 🙂', null, 'ÿ']],
  ['a text as long as no other', ['plain', 'y'.repeat(65_536), null]],
])('%s among plain texts', async (_, values) => {
  expect(await read('text', values)).toEqual(values)
})
