import { join } from 'node:path'
import { createTestDatabase } from '@cairn/local/test-database'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { generateTableTypes } from './table-types.ts'

// To generate the file, run `vitest run --project=db migrations/src/table-types.db.test.ts -u`.
const FILE = join(
  import.meta.dirname,
  '../../api-gateway/src/platform/database/tables.generated.ts',
)

test('the table types of the gateway are those of the migrated database', async () => {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const closed = new Promise<void>((resolve) =>
    pool.on('connect', (client) => client.once('end', () => resolve())),
  )
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const types = await generateTableTypes(db)
  await expect(types).toMatchFileSnapshot(FILE)

  // Sabotaged twin: a table is changed, so the generated types must differ from the file.
  await sql`alter table platform.faq alter column answer drop not null`.execute(db)
  expect(await generateTableTypes(db)).not.toBe(types)

  await db.destroy()
  await closed
  await database.drop()
})
