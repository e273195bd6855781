import pg from 'pg'
import { LOGIN_ROLES } from './passwords.ts'

/** `plain`: one PostgreSQL server. `citus`: a Citus cluster, whose nodes share the ledgers. */
export type Shape = 'plain' | 'citus'

/** The ledgers of a cluster are spread over this number of shards of each table. */
const SHARD_COUNT = 16
/** This table has one row for each ledger and belongs to the locks, which are on the coordinator. */
const COORDINATOR_ONLY = 'active_instance'
const CONNECT_TIMEOUT_MS = 10_000

const ROLES = ['cairn_owner', ...LOGIN_ROLES]

/** Throws if the text names no shape. */
export function parseShape(text: string): Shape {
  if (text === 'plain' || text === 'citus') return text
  throw new Error('--shape takes plain or citus')
}

/** True if the tables of the ledger are distributed already. */
export async function isDistributed(gate: pg.ClientBase): Promise<boolean> {
  const found = await gate.query(
    `select to_regclass('ledger.head') is not null
       and to_regclass('pg_catalog.pg_dist_partition') is not null as "mayBe"`,
  )
  if (!found.rows[0].mayBe) return false
  const { rowCount } = await gate.query(
    `select from pg_dist_partition where logicalrelid = 'ledger.head'::regclass`,
  )
  return rowCount === 1
}

/**
 * Creates on each node what the distributed tables need there before they exist: the roles, because
 * Citus connects to each node as the role that runs a statement, also as the owner of the tables; the
 * setting that permits triggers on shards; and the function with which a writer keeps its shard in
 * place.
 */
export async function prepareNodes(gate: pg.ClientBase, databaseUrl: string): Promise<void> {
  await runOnNodes(gate, databaseUrl, async (node) => {
    for (const role of ROLES) await createRole(node, role)
    const { rows } = await node.query('select quote_ident(current_database()) as database')
    const { database } = rows[0]
    await node.query(`alter role cairn_owner login;
      grant connect on database ${database} to ${ROLES.join(', ')};
      alter database ${database} set citus.enable_unsafe_triggers = on;
      ${HOLDS_PLACEMENT}`)
  })
}

async function createRole(node: pg.Client, role: string): Promise<void> {
  const { rowCount } = await node.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await node.query(`create role ${node.escapeIdentifier(role)} nologin`)
}

/**
 * A writer writes the rows of a shard directly, on the node that has it. The function keeps the shard
 * on the node until the transaction ends, with the lock that Citus itself takes for a statement that
 * writes. It then returns whether the shard is there: an earlier move can have left a copy. It runs
 * as the owner of the tables, because Citus gives the lock only to the owner.
 */
const HOLDS_PLACEMENT = `
  create schema if not exists ledger_citus authorization cairn_owner;
  grant usage on schema ledger_citus to cairn_ledger;
  create or replace function ledger_citus.holds_placement(shard bigint) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
  begin
    -- 5 is the number of the lock mode ShareLock.
    perform lock_shard_metadata(5, array[shard]);
    -- A volatile function reads with a snapshot of its own, taken after the lock was obtained.
    return exists (
      select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = shard
    );
  end $$;
  alter function ledger_citus.holds_placement(bigint) owner to cairn_owner;
  revoke all on function ledger_citus.holds_placement(bigint) from public;
  grant execute on function ledger_citus.holds_placement(bigint) to cairn_ledger;`

/** Runs work on each node of the cluster, also on the coordinator, without effects on the others. */
export async function runOnNodes(
  gate: pg.ClientBase,
  databaseUrl: string,
  work: (node: pg.Client) => Promise<void>,
): Promise<void> {
  const { rows } = await gate.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive order by groupid`,
  )
  if (rows.length === 0) {
    throw new Error(
      'this database has no nodes of Citus: call citus_set_coordinator_host and citus_add_node first',
    )
  }
  for (const { host, port } of rows) {
    const url = new URL(databaseUrl)
    url.hostname = host
    url.port = String(port)
    const node = new pg.Client({
      connectionString: url.href,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    await node.connect()
    try {
      await node.query('set citus.enable_ddl_propagation = off')
      await work(node)
    } finally {
      await node.end()
    }
  }
}

/**
 * Distributes the tables of the ledger that are not distributed yet, by the number of the ledger. All
 * rows of a ledger are on one node. Throws if such a table has rows.
 */
export async function distributeTables(gate: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await gate.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'ledger'::regnamespace and relkind = 'r' and relname <> $1
       and oid not in (select logicalrelid from pg_dist_partition)
     order by relname <> 'head', relname`,
    [COORDINATOR_ONLY],
  )
  const names = rows.map(({ name }) => name)
  for (const name of names) await requireNoRows(gate, name)
  await gate.query(
    `set citus.shard_count = ${SHARD_COUNT}; set citus.enable_unsafe_triggers = on; begin`,
  )
  try {
    for (const name of names) await distributeTable(gate, name)
    await gate.query('commit')
  } catch (error) {
    await gate.query('rollback')
    throw error
  }
  return names
}

async function distributeTable(gate: pg.ClientBase, name: string): Promise<void> {
  await gate.query(
    `select create_distributed_table($1, 'ledger_id', colocate_with => $2, shard_count => $3)`,
    name === 'head'
      ? ['ledger.head', 'none', SHARD_COUNT]
      : [`ledger.${name}`, 'ledger.head', null],
  )
}

async function requireNoRows(gate: pg.ClientBase, name: string): Promise<void> {
  const { rowCount } = await gate.query(`select from ledger.${name} limit 1`)
  if (rowCount === 0) return
  throw new Error(
    `ledger.${name} has rows: give Citus a new database, and move the ledgers there with ` +
      'npm run ledger -- move',
  )
}
