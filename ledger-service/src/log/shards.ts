import type pg from 'pg'

/** The shards of a Citus cluster that contain the rows of one ledger. All are on one node. */
export interface Shards {
  /** The number of the shard of each table. */
  readonly numbers: ReadonlyMap<string, string>
  /** The number of the shard of ledger.head, which stands for the others: they move together. */
  readonly head: string
}

export interface ShardPlacement {
  readonly shards: Shards
  /** The URL of the node. */
  readonly databaseUrl: string
}

/** Returns the name of a table of the schema `ledger`: of its shard, if it has shards. */
export function nameTable(table: string, shards: Shards | null): string {
  if (shards === null) return `ledger.${table}`
  const number = shards.numbers.get(table)
  if (number === undefined) throw new Error(`ledger.${table} is not distributed`)
  return `ledger.${table}_${number}`
}

/**
 * Returns the name of a prepared statement. Ledgers can share a connection, and the statements of
 * each shard have other tables.
 */
export function nameStatement(name: string, shards: Shards | null): string {
  return shards === null ? name : `${name}-${shards.head}`
}

/**
 * Returns the condition under which a statement may change the rows of a shard. Until the end of the
 * transaction, the condition also keeps the shard on its node.
 */
export function formatPlacementCheck({ head }: Shards): string {
  return `ledger_citus.holds_placement(${head})`
}

/**
 * The clients and pools whose database is known to be outside of Citus. A database never changes its
 * shape, because only empty tables can be distributed.
 */
const plain = new WeakSet<object>()

/** True if the database is a node of Citus and the tables of the ledger are distributed. */
export async function isCitus(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  if (plain.has(client)) return false
  const isCluster = await hasDistributedTables(client)
  if (!isCluster) plain.add(client)
  return isCluster
}

async function hasDistributedTables(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as "isThere"`,
  )
  if (rows[0]?.isThere !== true) return false
  const { rowCount } = await client.query(
    `select from pg_dist_partition where logicalrelid = 'ledger.head'::regclass`,
  )
  return rowCount === 1
}

/** Finds the node that has the rows of a ledger. `databaseUrl` is the URL of any node. */
export async function findPlacement(
  client: Pick<pg.ClientBase, 'query'>,
  { databaseUrl, ledger }: { databaseUrl: string; ledger: number },
): Promise<ShardPlacement> {
  const { rows } = await client.query<{ name: string; shard: string; host: string; port: number }>(
    `select relname as name, shard::text, nodename as host, nodeport as port
     from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
       cross join lateral get_shard_id_for_distribution_column(logicalrelid, $1::int) as shard
       join pg_dist_placement on shardid = shard join pg_dist_node using (groupid)
     where relnamespace = 'ledger'::regnamespace and noderole = 'primary'`,
    [ledger],
  )
  const head = rows.find(({ name }) => name === 'head')
  if (head === undefined) throw new Error('the tables of the ledger are not distributed')
  if (rows.some(({ host, port }) => host !== head.host || port !== head.port)) {
    throw new Error(`the rows of ledger ${ledger} are on several nodes`)
  }
  const url = new URL(databaseUrl)
  url.hostname = head.host
  url.port = String(head.port)
  const numbers = new Map(rows.map(({ name, shard }) => [name, shard]))
  return { shards: { numbers, head: head.shard }, databaseUrl: url.href }
}

/** Lists those of the given ledgers whose rows are on one of the nodes, which are named `host:port`. */
export async function listLedgersOfNodes(
  client: Pick<pg.ClientBase, 'query'>,
  { ledgers, nodes }: { ledgers: readonly number[]; nodes: readonly string[] },
): Promise<readonly number[]> {
  if (nodes.length === 0) return []
  const { rows } = await client.query<{ ledger: number }>(
    `select ledger from unnest($1::int[]) as wanted(ledger)
       join pg_dist_placement
         on shardid = get_shard_id_for_distribution_column('ledger.head'::regclass, ledger)
       join pg_dist_node using (groupid)
     where noderole = 'primary' and format('%s:%s', nodename, nodeport) = any ($2::text[])`,
    [ledgers, nodes],
  )
  return rows.map(({ ledger }) => ledger)
}
