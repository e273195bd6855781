import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { TestDatabase } from '@cairn/local/test-database'
import { migrate } from '@cairn/migrations'
import pg from 'pg'

/** The URL of a superuser on the coordinator. Its database has the nodes of the cluster. */
const citusUrl = process.env.TEST_CITUS_URL ?? ''
/** True if no cluster is named. The tests are then skipped. */
export const isWithoutCitus = citusUrl === ''
if (isWithoutCitus) console.warn('skipped: TEST_CITUS_URL is not set')

/**
 * A program that is called with `stop` (at once, like a crash) or `start`, and with the host and the
 * port of a node.
 */
const nodeProgram = process.env.TEST_CITUS_NODE ?? ''
/** True if the tests cannot stop the nodes of the cluster. Tests that stop nodes are then skipped. */
export const isWithoutNodeControl = isWithoutCitus || nodeProgram === ''

const ROLES = ['cairn_ledger', 'cairn_ledger_worker', 'cairn_auditor']
const PASSWORD = 'cairn-test'
// The key of the advisory lock of `changeRolesAlone`. The number is arbitrary.
const ROLES_LOCK = 5_120_937_441

export interface NodeAddress {
  readonly host: string
  readonly port: number
}

export interface CitusDatabase extends TestDatabase {
  readonly nodes: readonly NodeAddress[]
  /** Returns the superuser's URL of the database on one node. */
  urlOn(node: NodeAddress): string
  /** Runs SQL as the superuser on the coordinator. */
  run<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs SQL as the superuser on one node, without effects on the others. */
  runOn<Row extends pg.QueryResultRow>(node: NodeAddress, text: string): Promise<Row[]>
}

/** Creates a database on all nodes and connects them. `isMigrated: false` applies no migration. */
export function createCitusDatabase({
  isMigrated = true,
}: {
  isMigrated?: boolean
} = {}): Promise<CitusDatabase> {
  return changeRolesAlone(() => createDatabase({ isMigrated }))
}

/**
 * Runs work that changes roles, while no other test file does so. All databases of a cluster have
 * the same roles, and `citus_add_node` and the migrations write them. PostgreSQL refuses the second
 * of two changes of a role at a time with "tuple concurrently updated".
 */
export async function changeRolesAlone<T>(work: () => Promise<T>): Promise<T> {
  const gate = new pg.Client({ connectionString: citusUrl })
  await gate.connect()
  try {
    await gate.query('select pg_advisory_lock($1)', [ROLES_LOCK])
    return await work()
  } finally {
    await gate.end()
  }
}

async function createDatabase({ isMigrated }: { isMigrated: boolean }): Promise<CitusDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const nodes = await query<NodeAddress>(
    citusUrl,
    `select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' order by groupid`,
  )
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined) throw new Error('TEST_CITUS_URL names a database without nodes')
  const urlOn = (node: NodeAddress, database = name) => {
    const url = new URL(citusUrl)
    url.hostname = node.host
    url.port = String(node.port)
    if (database !== '') url.pathname = `/${database}`
    return url.href
  }
  const onThisNode = 'set citus.enable_create_database_propagation = off'
  const drop = async () => {
    for (const node of nodes.toReversed()) {
      await query(urlOn(node, ''), onThisNode, `drop database if exists ${name} with (force)`)
    }
  }
  const url = urlOn(coordinator)
  try {
    for (const node of nodes) {
      await query(urlOn(node, ''), onThisNode, `create database ${name}`)
      await query(urlOn(node), 'create extension citus')
    }
    await query(
      url,
      `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    )
    for (const { host, port } of workers)
      await query(url, `select citus_add_node('${host}', ${port})`)
    if (isMigrated) await applyMigrations(url)
  } catch (error) {
    await drop()
    throw error
  }
  return {
    url,
    nodes,
    urlOn,
    urlFor: (role) => {
      const own = new URL(url)
      own.username = role
      own.password = PASSWORD
      return own.href
    },
    run: (text, values) => query(url, { text, values: [...(values ?? [])] }),
    runOn: (node, text) => query(urlOn(node), 'set citus.enable_ddl_propagation = off', text),
    drop,
  }
}

export function migrateToCitus(databaseUrl: string): Promise<readonly string[]> {
  return changeRolesAlone(() => applyMigrations(databaseUrl))
}

function applyMigrations(databaseUrl: string): Promise<readonly string[]> {
  return migrate({
    databaseUrl,
    only: 'ledger',
    shape: 'citus',
    passwords: Object.fromEntries(ROLES.map((role) => [role, PASSWORD])),
  })
}

/** Runs statements on one connection and returns the rows of the last one. */
async function query<Row extends pg.QueryResultRow>(
  url: string,
  ...statements: readonly (string | pg.QueryConfig)[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Returns the shard of a table that has the rows of the ledger, and its node. */
export async function findShard(
  database: CitusDatabase,
  { table, ledger }: { table: string; ledger: number },
): Promise<NodeAddress & { shard: string; name: string }> {
  const [found] = await database.run<NodeAddress & { shard: string }>(
    `select shard::text, nodename as host, nodeport as port
     from get_shard_id_for_distribution_column($1::regclass, $2::int) as shard
       join pg_dist_placement on shardid = shard join pg_dist_node using (groupid)
     where noderole = 'primary'`,
    [`ledger.${table}`, ledger],
  )
  if (found === undefined) throw new Error(`${table} has no shard`)
  return { ...found, name: `ledger.${table}_${found.shard}` }
}

/** Stops a node like a crash, or starts it and waits until it answers. */
export async function controlNode(
  action: 'stop' | 'start',
  { host, port }: NodeAddress,
): Promise<void> {
  await promisify(execFile)(nodeProgram, [action, host, String(port)])
}

/** Moves all shards of a ledger to the other worker. Returns the port of the former node. */
export async function moveShards(database: CitusDatabase, ledger: number): Promise<number> {
  const { shard, host, port } = await findShard(database, { table: 'head', ledger })
  const target = database.nodes.slice(1).find((node) => node.port !== port || node.host !== host)
  if (target === undefined) throw new Error('the cluster has one worker')
  // A move is refused while the node has a copy that an earlier move left.
  await database.run('call citus_cleanup_orphaned_resources()')
  await database.run(`select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')`, [
    shard,
    host,
    port,
    target.host,
    target.port,
  ])
  return port
}
