import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@cairn/local/postgres'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { migrate } from '@cairn/migrations'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFINITIONS_FILE, findSchemaProblems, readDefinitions } from './schema-definitions.ts'

// To create the file of the expected definitions again, run `vitest run --project=db
// ledger-service/src/proofs/schema-definitions.db.test.ts -u`.
const NEWER = `
  create table ledger.note (ledger_id int primary key, text text not null check (text <> ''));
  create table ledger.reply (ledger_id int references ledger.note);
  create table ledger.past_note (ledger_id int) partition by list (ledger_id);
  create table ledger.past_note_of_first partition of ledger.past_note for values in (1);
  grant select, insert on ledger.note to cairn_ledger;
  create trigger note_append_only before update on ledger.note
    for each statement execute function ledger.refuse_change();
  alter table ledger.event add column note text collate "C";
  alter table ledger.event add column place bigint not null default 0;
  alter table ledger.event add column kind text collate "C" not null default 'x';
  create index event_by_note on ledger.event (ledger_id, note);
  create index event_by_kind on ledger.event (ledger_id, seq) include (place)
    where kind in ('a', 'b') and (type = 'DepositApproved' or note is not null) and place > 0`

const ROLE_HERE = 'alter role cairn_ledger in database'

function alterDatabase(change: string): string {
  return `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`
}

/** What an operator or another server may have. */
const HONEST: readonly string[] = [
  'grant pg_read_all_stats to cairn_ledger',
  'create role platform login createrole; grant cairn_owner, cairn_ledger to platform',
  `create role keeper; grant cairn_owner to keeper; ${alterDatabase('owner to keeper')}`,
  `alter role cairn_ledger set statement_timeout = '20s'`,
  `alter role cairn_ledger reset jit`,
  alterDatabase(`set work_mem = ''64MB''`),
  alterDatabase(`set log_min_duration_statement = 500`),
  `alter role cairn_key_backup nologin password null`,
  `create role other login replication`,
]

/** Changes that could change what the known tables contain. */
const CHANGES: readonly (readonly [change: string, problem: RegExp])[] = [
  ['alter table ledger.event disable trigger event_append_only', /lacks .* trigger enabled A/],
  ['grant update on ledger.event to cairn_ledger', /unexpected .* event cairn_ledger UPDATE/],
  [
    `create trigger event_edited after insert on ledger.event
       for each statement execute function ledger.refuse_change()`,
    /unexpected definition: trigger enabled O CREATE TRIGGER event_edited/,
  ],
  // The definition of a trigger contains its arguments.
  [
    `create trigger verification_edited before insert on ledger.verification
       for each row execute function ledger.refuse_change(' ON ledger.zzz ')`,
    /unexpected definition: trigger enabled O CREATE TRIGGER verification_edited/,
  ],
  [
    `create function public.read_one() returns int language sql as 'select 1';
     alter table ledger.event add column x int default public.read_one()`,
    /unexpected definition: column event\.x/,
  ],
  [
    `create domain public.small as int default 1 check (value < 9);
     alter table ledger.event add column x public.small`,
    /unexpected definition: column event\.x/,
  ],
  // An implicit cast is not part of the text of the definition.
  [
    `create function public.write(int) returns text language sql as 'select $1::varchar';
     create cast (int as text) with function public.write as assignment;
     alter table ledger.event add column x text default 5`,
    /unexpected definition: column event\.x text not null f default 5/,
  ],
  ['alter table ledger.event add column x int not null', /unexpected definition: column event\.x/],
  ['alter table ledger.event add column x int default pg_sleep(9)::text::int', /column event\.x/],
  [
    `alter table ledger.event add constraint n check (type <> 'WithdrawalRequested') not valid`,
    /unexpected definition: constraint event n valid f CHECK/,
  ],
  [
    `create table public.keeper (ledger_id int, approver text collate "C",
       constraint keeps foreign key (ledger_id, approver) references ledger.approver)`,
    /unexpected definition: reference to approver from (public\.)?keeper FOREIGN KEY/,
  ],
  ['create unique index n on ledger.event (ledger_id, actor)', /definition: index CREATE UNIQUE/],
  ['create index n on ledger.event ((1 / length(actor)))', /unexpected definition: index CREATE/],
  ['create index n on ledger.event (seq) where 1 / seq < 1', /unexpected definition: index CREATE/],
  [
    'create index n on ledger.event (seq) where type ~ actor',
    /unexpected definition: index CREATE/,
  ],
  [
    `create operator class public.odd for type bigint using btree as operator 1 <, operator 2 <=,
       operator 3 =, operator 4 >=, operator 5 >, function 1 btint8cmp(bigint, bigint);
     create index n on ledger.event (seq public.odd)`,
    /unexpected definition: index CREATE INDEX n/,
  ],
  [
    'create table public.double () inherits (ledger.checkpoint)',
    /unexpected definition: table (public\.)?double inherits from ledger\.checkpoint/,
  ],
  [
    `create table public.above (ledger_id int not null);
     alter table ledger.checkpoint inherit public.above`,
    /unexpected definition: table ledger\.checkpoint inherits from (public\.)?above/,
  ],
  [
    `create function ledger.edit() returns void security definer language sql as ''`,
    /unexpected definition: function edit/,
  ],
  ['create policy nobody on ledger.event using (false)', /unexpected definition: policy nobody/],
  ['create rule none as on insert to ledger.event do instead nothing', /definition: rule none/],
  ['alter table ledger.posting alter column amount_minor drop not null', /lacks the definition/],
  ['drop index ledger.posting_by_seq', /lacks the definition: index/],
  ['alter table ledger.posting set unlogged', /lacks .* table posting kind r persistence p/],
  [
    `create collation public.blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
     alter table ledger.transaction alter column reference type text collate public.blind`,
    /lacks the definition: column transaction.reference .* collation pg_catalog\."?C"? determ/,
  ],
  [
    `create trigger event_edited after insert on ledger.event
       for each statement execute function ledger.refuse_change();
     update pg_trigger set tgisinternal = true where tgname = 'event_edited'`,
    /unexpected definition: trigger enabled O CREATE TRIGGER event_edited/,
  ],
  [
    `update pg_class set relhastriggers = false where oid = 'ledger.event'::regclass`,
    /lacks the definition: trigger enabled A CREATE TRIGGER event_append_only/,
  ],
  [
    `update pg_class set relchecks = 0 where oid = 'ledger.balance'::regclass`,
    /lacks the definition: constraint balance balance_floor_check valid t/,
  ],
  [
    `update pg_class set relhasindex = false where oid = 'ledger.event'::regclass`,
    /lacks the definition: index .* event_idempotency_hash_key .* ready t/,
  ],
  ...['indisready', 'indislive', 'indimmediate', 'indisunique'].map(
    (flag) =>
      [
        `update pg_index set ${flag} = false
         where indexrelid = 'ledger.event_idempotency_hash_key'::regclass`,
        /lacks the definition: index CREATE UNIQUE INDEX event_idempotency_hash_key/,
      ] as const,
  ),
  ['grant pg_write_all_data to cairn_gateway', /member cairn_gateway of pg_write_all_data/],
  ['grant cairn_owner to cairn_gateway', /unexpected .* member cairn_gateway of cairn_owner/],
  [
    'create role thief login; grant cairn_ledger to thief',
    /unexpected .* member thief of cairn_ledger/,
  ],
  [`alter role cairn_owner login password 'x'`, /unexpected .* role cairn_owner may log in/],
  ['alter role cairn_backup replication', /unexpected .* role cairn_backup .* replicates t/],
  ['alter role cairn_gateway createdb', /role cairn_gateway .* creates databases t/],
  [alterDatabase('set search_path = evil, pg_catalog'), /setting of all roles in this database/],
  // The value resembles a limit of time, which may be set.
  [
    `alter role cairn_ledger set search_path = evil, "x_timeout=1"`,
    /unexpected .* setting of cairn_ledger in all databases: search_path=evil/,
  ],
  [
    alterDatabase('set session_preload_libraries = evil').replace('alter database', ROLE_HERE),
    /setting of cairn_ledger in this database: session_preload_libraries=evil/,
  ],
  [
    'alter role cairn_auditor reset default_transaction_read_only',
    /lacks .* setting of cairn_auditor in all databases: default_transaction_read_only=on/,
  ],
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
  beforeEach(() => superuser.query('begin; set local allow_system_table_mods = on'))
  afterEach(() => superuser.query('rollback'))

  test('a migration that adds is no problem', async () => {
    await superuser.query(NEWER)
    expect(await findSchemaProblems(superuser)).toEqual([])
  })

  test.each(HONEST)('%s is no problem', async (change) => {
    await superuser.query(change)
    expect(await findSchemaProblems(superuser)).toEqual([])
  })

  test('a trigger on logins is a problem', async ({ skip }) => {
    const { rows } = await superuser.query(`select current_setting('server_version_num')::int as n`)
    if (rows[0].n < 170_000) return skip('this server has no such triggers')
    await superuser.query(`create function public.evil() returns event_trigger language plpgsql
        as 'begin perform set_config(''search_path'', ''evil'', false); end';
      create event trigger evil on login execute function public.evil()`)
    const problem = 'the schema has an unexpected definition: event trigger evil on login enabled O'
    expect(await findSchemaProblems(superuser)).toEqual([problem])
  })

  test.each(CHANGES)('%s is a problem', async (change, problem) => {
    await superuser.query(NEWER)
    await superuser.query(change)
    expect((await findSchemaProblems(superuser)).join('\n')).toMatch(problem)
  })
})

test.each([15, 18] as const)(
  'a server of version %i that an account with few rights has migrated is no problem',
  async (version) => {
    const place = await mkdtemp(join(tmpdir(), `cairn-postgres-${version}-`))
    const files = { dataDir: join(place, 'data'), logFile: join(place, 'log') }
    const server = await startPostgres({ version, password: 'p', ...files })
    const superuser = new pg.Client({ connectionString: server.url() })
    const passwords = { cairn_ledger: 'l' }
    const ledger = new pg.Client({ connectionString: server.url('cairn_ledger', 'l', 'cairn') })
    try {
      await superuser.connect()
      await superuser.query(`create role operator login createrole password 'o'`)
      await superuser.query('create database cairn owner operator')
      await migrate({ databaseUrl: server.url('operator', 'o', 'cairn'), passwords })
      await ledger.connect()
      expect(await findSchemaProblems(ledger)).toEqual([])
      // The right to create roles is needed by the migrations only.
      await superuser.query('alter role operator nocreaterole')
      expect(await findSchemaProblems(ledger)).toEqual([])
      await superuser.query('alter database cairn owner to postgres')
      expect(await findSchemaProblems(ledger)).toContain(
        'the schema has an unexpected definition: member operator of cairn_owner',
      )
    } finally {
      await Promise.all([superuser.end(), ledger.end()])
      await server.stop()
      await rm(place, { recursive: true })
    }
  },
)

test('the expected definitions are those of the migrated database', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.urlFor('cairn_ledger') })
  const superuser = new pg.Client({ connectionString: database.url })
  await Promise.all([client.connect(), superuser.connect()])
  try {
    const lines = (await readDefinitions(client)).map(({ line }) => line)
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
