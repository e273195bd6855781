import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/**
 * Returns, for each role, the schemas with a column that the role may read, and the schemas with a
 * column that the role may change.
 */
async function listAccessibleSchemas(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ role: string; reads: string; changes: string }>(`
    select r.rolname as role,
      coalesce(string_agg(distinct n.nspname, ' ' order by n.nspname)
        filter (where has_any_column_privilege(r.oid, c.oid, 'select')), '') as reads,
      coalesce(string_agg(distinct n.nspname, ' ' order by n.nspname)
        filter (where has_any_column_privilege(r.oid, c.oid, 'insert, update')
          or has_table_privilege(r.oid, c.oid, 'delete, truncate')), '') as changes
    from pg_roles r
    cross join pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where r.rolname like 'cairn\\_%' and r.rolname not in ('cairn_owner', 'cairn_migrator')
      and c.relkind in ('r', 'p', 'v') and n.nspname !~ '^pg_|^information_schema$'
      and has_schema_privilege(r.oid, n.oid, 'usage')
    group by r.rolname`)
  return Object.fromEntries(
    rows.map(({ role, reads, changes }) => [role, `reads ${reads}; changes ${changes}`]),
  )
}

/**
 * The ledger worker has only the schema of its queue, whose tables pg-boss creates when it starts,
 * and the right to announce its release.
 */
const ACCESSIBLE_SCHEMAS = {
  cairn_auditor: 'reads ledger; changes ',
  cairn_backup: 'reads identity ledger migrations platform; changes ',
  cairn_gateway: 'reads identity person_keys platform; changes identity person_keys platform',
  cairn_gateway_worker:
    'reads identity person_keys platform; changes identity person_keys platform',
  cairn_key_backup: 'reads person_keys; changes ',
  cairn_ledger: 'reads ledger; changes ledger',
  cairn_ledger_worker: 'reads ; changes ',
}

test('each role reads and changes the schemas of its own process only', async () => {
  expect(await listAccessibleSchemas()).toEqual(ACCESSIBLE_SCHEMAS)

  // Sabotaged twin: a role gets the right to one column of a foreign schema. The comparison must
  // notice this right.
  await client.query('grant usage on schema identity to cairn_ledger')
  await client.query('grant select (email) on identity.user to cairn_ledger')
  expect(await listAccessibleSchemas()).toEqual({
    ...ACCESSIBLE_SCHEMAS,
    cairn_ledger: 'reads identity ledger; changes ledger',
  })
})

test('no role is privileged, and the statements of the services have limits', async () => {
  const { rows } = await client.query<{ name: string; isPrivileged: boolean; limits: string }>(`
    select rolname as name,
      rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isPrivileged",
      coalesce((select string_agg(setting, ' ' order by setting) from unnest(rolconfig) setting
        where setting ~ 'timeout'), '') as limits
    from pg_roles where rolname like 'cairn\\_%'`)
  expect(rows.length).toBeGreaterThanOrEqual(9)
  expect(rows.filter(({ isPrivileged }) => isPrivileged)).toEqual([])
  const limits = Object.fromEntries(rows.map(({ name, limits }) => [name, limits]))
  expect(limits).toMatchObject({
    cairn_ledger: 'idle_in_transaction_session_timeout=10s lock_timeout=2s statement_timeout=5s',
    cairn_gateway: 'idle_in_transaction_session_timeout=10s lock_timeout=2s statement_timeout=5s',
    cairn_ledger_worker:
      'idle_in_transaction_session_timeout=30s lock_timeout=10s statement_timeout=30s',
    cairn_gateway_worker:
      'idle_in_transaction_session_timeout=30s lock_timeout=10s statement_timeout=30s',
    cairn_auditor: 'statement_timeout=60s',
  })
})
