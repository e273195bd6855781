import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { connectClient, connectOutsidePool, createPool } from '../service/database/pool.ts'
import { runDatabaseCheck } from './database-check.ts'
import type { Queryable } from './read-catalog.ts'
import { findSchemaProblems } from './schema-definitions.ts'
import { verifyLog } from './verify.ts'

/**
 * Views in front of the catalogs that hide the changes below, and a sum that is the largest amount. One
 * setting of the database puts them in front of those of PostgreSQL.
 */
const MASKS = `
  create schema evil;
  create view evil.pg_class as
    select oid, relname, relnamespace, relkind, relpersistence, relowner, relacl, relhasindex,
      relhastriggers, relchecks, false as relrowsecurity from pg_catalog.pg_class;
  create view evil.pg_policy as select * from pg_catalog.pg_policy where false;
  create view evil.pg_trigger as
    select oid, tgrelid, tgname, tgfoid, tgisinternal, 'A'::"char" as tgenabled
    from pg_catalog.pg_trigger;
  create view evil.pg_db_role_setting as
    select * from pg_catalog.pg_db_role_setting where setdatabase = 0;
  create aggregate evil.sum(bigint) (sfunc = int8larger, stype = bigint, initcond = '1');
  grant usage on schema evil to public;
  grant select on all tables in schema evil to public;
  do $$ begin
    execute format('alter database %I set search_path = evil, pg_catalog, public', current_database());
  end $$`

/** Hides a transaction from the reads of the product, and not from a verification. */
const HIDES = `
  alter table ledger.transaction enable row level security;
  create policy hide on ledger.transaction
    using (current_setting('application_name') <> 'ledger-read');
  alter table ledger.event disable trigger event_append_only`

let ledger: TestLedger
let url: string
beforeAll(async () => {
  ledger = await startTestLedger()
  await createFundedInvestor(ledger, { amountMinor: 5_000n })
  url = ledger.database.urlFor('cairn_ledger')
  await ledger.runSql(MASKS)
  await ledger.runSql(HIDES)
})
afterAll(() => ledger?.close())

async function withPool<T>(name: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, max: 4, name })
  return work(pool).finally(() => pool.end())
}

/** Runs work on a connection with the settings of the database. */
async function withPlainClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'ledger-verify' })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Sabotaged twin: the queries of the catalogs use the search path of the connection. */
function leavePath(client: pg.Client): Queryable {
  const query = async (text: string) => [
    null,
    await client.query(text.replace(/^set local search_path = [^;]+; /, '')),
  ]
  // The cast is safe because `readCatalog` calls this function with a text only.
  return { query } as unknown as Queryable
}

const countTransactions = (client: Queryable) =>
  client.query('select from ledger.transaction').then(({ rowCount }) => rowCount)

describe('a search path that a superuser sets for the database', () => {
  test('does not hide changed definitions from a verification', async () => {
    expect(await withPool('ledger-read', countTransactions)).toBe(0)
    expect(await withPool('ledger-verify', countTransactions)).toBe(1)
    const { problems } = await withPool('ledger-verify', (pool) => verifyLog(pool, { ledger: 1 }))
    const all = problems.join('\n')
    expect(all).toContain('the schema has an unexpected definition: policy hide on transaction')
    expect(all).toContain(
      'lacks the definition: table transaction kind r persistence p owner cairn_owner row security f',
    )
    expect(all).toContain(
      'lacks the definition: trigger enabled A CREATE TRIGGER event_append_only',
    )
    expect(all).toContain('setting of all roles in this database: search_path=evil, pg_catalog')
    expect(problems.every((problem) => problem.startsWith('the schema'))).toBe(true)
  })

  test('does not hide a disabled trigger from the check at the start', async () => {
    const problems = await withPool('ledger', runDatabaseCheck)
    expect(problems).toEqual([
      expect.stringContaining('the trigger event_append_only is not enabled always'),
    ])
  })

  test('does not change any connection of the ledger', async () => {
    const read = async (client: Queryable) => {
      const { rows } = await client.query(
        `select sum(amount)::text as sum, current_setting('search_path') as path
         from (values (2::bigint), (3)) as t (amount)`,
      )
      return rows[0]
    }
    const fixed = { sum: '5', path: 'pg_catalog,pg_temp' }
    await withPool('test', async (pool) => {
      expect(await read(pool)).toEqual(fixed)
      const outside = await connectOutsidePool(pool)
      expect(await read(outside).finally(() => outside.end())).toEqual(fixed)
    })
    for (const pipeline of [false, true]) {
      const client = await connectClient({ url, name: 'test', pipeline })
      expect(await read(client).finally(() => client.end())).toEqual(fixed)
    }
    // Sabotaged twin: a connection that takes its search path from the database.
    const { sum } = await withPlainClient(read)
    expect(sum).toBe('3')
  })

  test('is found on a connection that uses it; without a fixed path, the comparison is blind', async () => {
    await withPlainClient(async (client) => {
      expect((await findSchemaProblems(client)).join('\n')).toContain('policy hide on transaction')
    })
    const blind = await withPlainClient((client) => findSchemaProblems(leavePath(client)))
    expect(blind).toEqual([])
  })
})
