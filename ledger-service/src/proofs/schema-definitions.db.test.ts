import { createTestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DEFINITIONS_FILE, findSchemaProblems, readDefinitions } from './schema-definitions.ts'

// To create the file of the expected definitions again, run `vitest run --project=db
// ledger-service/src/proofs/schema-definitions.db.test.ts -u`.
test('the expected definitions are those of the migrated database', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.urlFor('cairn_ledger') })
  const superuser = new pg.Client({ connectionString: database.url })
  await Promise.all([client.connect(), superuser.connect()])
  try {
    const lines = await readDefinitions(client)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(DEFINITIONS_FILE)
    expect(await findSchemaProblems(client)).toEqual([])
    // Roles belong to the whole server. This change of a role is rolled back, so that tests on
    // other databases of the server cannot see it.
    await superuser.query('begin')
    await superuser.query('alter role cairn_auditor bypassrls')
    expect(await findSchemaProblems(superuser)).toEqual([
      expect.stringMatching(
        /lacks the definition: role cairn_auditor superuser f bypasses policies f/,
      ),
      expect.stringMatching(
        /unexpected definition: role cairn_auditor superuser f bypasses policies t/,
      ),
    ])
    await superuser.query('rollback')
  } finally {
    await superuser.end()
    await client.end()
    await database.drop()
  }
})
