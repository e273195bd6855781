import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFINITIONS_FILE, findSchemaProblems, readDefinitions } from './schema-definitions.ts'

// To create the file of the expected definitions again, run `vitest run --project=db
// ledger-service/src/proofs/schema-definitions.db.test.ts -u`.
const NEWER = `
  create table ledger.note (ledger_id int primary key, text text not null);
  grant select, insert on ledger.note to cairn_ledger;
  create trigger note_append_only before update on ledger.note
    for each statement execute function ledger.refuse_change();
  alter table ledger.event add column note text;
  create index event_by_note on ledger.event (ledger_id, note)`

/** Changes that could change what the known tables contain. */
const CHANGES: readonly (readonly [change: string, problem: RegExp])[] = [
  ['alter table ledger.event disable trigger event_append_only', /lacks .* trigger enabled A/],
  ['grant update on ledger.event to cairn_ledger', /unexpected .* event cairn_ledger UPDATE/],
  [
    `create trigger event_edited after insert on ledger.event
       for each statement execute function ledger.refuse_change()`,
    /unexpected definition: trigger enabled O CREATE TRIGGER event_edited/,
  ],
  [
    `create function ledger.edit() returns void security definer language sql as ''`,
    /unexpected definition: function edit/,
  ],
  ['create policy nobody on ledger.event using (false)', /unexpected definition: policy nobody/],
  ['create rule none as on insert to ledger.event do instead nothing', /definition: rule none/],
  ['alter table ledger.posting alter column amount_minor drop not null', /lacks the definition/],
  ['drop index ledger.posting_by_seq', /lacks the definition: index/],
]

describe('beside a newer version', () => {
  let database: TestDatabase
  let superuser: pg.Client
  beforeAll(async () => {
    database = await createTestDatabase()
    superuser = new pg.Client({ connectionString: database.url })
    await superuser.connect()
  })
  afterAll(async () => {
    await superuser?.end()
    await database?.drop()
  })
  beforeEach(() => superuser.query('begin'))
  afterEach(() => superuser.query('rollback'))

  test('a migration that adds is no problem', async () => {
    await superuser.query(NEWER)
    expect(await findSchemaProblems(superuser)).toEqual([])
  })

  test.each(CHANGES)('%s is a problem', async (change, problem) => {
    await superuser.query(NEWER)
    await superuser.query(change)
    expect((await findSchemaProblems(superuser)).join('\n')).toMatch(problem)
  })
})

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
