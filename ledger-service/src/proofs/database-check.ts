import type pg from 'pg'
import { isCitus } from '../log/shards.ts'
import { readCatalog } from './read-catalog.ts'

export interface DatabaseCheck {
  readonly problems: readonly string[]
  /** The nodes of a Citus cluster that could not be checked, as `host:port`, and why. */
  readonly silentNodes: ReadonlyMap<string, string>
}

const APPEND_ONLY = [
  'event',
  'posting',
  'refusal',
  'subtree',
  'checkpoint',
  'log_key',
  'trial_balance',
]
/** The triggers that protect the log, with their tables. */
const GUARDS = new Map([
  ...APPEND_ONLY.map((table) => [`${table}_append_only`, table] as const),
  ['posting_zero_sum', 'posting'] as const,
])

/**
 * The part of the self-check that is the same for all ledgers of a database: the triggers, the rights
 * of this role and the settings that protect the log.
 */
export async function checkDatabase(pool: pg.Pool): Promise<DatabaseCheck> {
  const [nodes, ...others] = await Promise.all([
    checkNodes(pool),
    findDurabilityProblems(pool),
    findGrantProblems(pool),
    findTriggerProblems(pool),
  ])
  return { problems: [...others.flat(), ...nodes.problems], silentNodes: nodes.silentNodes }
}

/** Like `checkDatabase`, but a node of Citus that does not answer is a problem. */
export async function runDatabaseCheck(pool: pg.Pool): Promise<readonly string[]> {
  const { problems, silentNodes } = await checkDatabase(pool)
  return [
    ...problems,
    ...[...silentNodes].map(([node, why]) => `the node ${node} cannot be checked: ${why}`),
  ]
}

interface Setting {
  readonly name: string
  readonly setting: string
}

const DURABILITY_SETTINGS = `
  select name, setting from pg_catalog.pg_settings
  where name operator(pg_catalog.=) any (array['fsync', 'synchronous_commit', 'full_page_writes'])`

async function findDurabilityProblems(pool: pg.Pool): Promise<readonly string[]> {
  return findWeakSettings(await readCatalog<Setting>(pool, DURABILITY_SETTINGS))
}

function findWeakSettings(settings: readonly Setting[]): readonly string[] {
  return settings
    .filter(({ name, setting }) => {
      // Only the value `off` is a problem. With every other value of `synchronous_commit`, a commit
      // waits at least until the server has flushed it to disk.
      return name === 'synchronous_commit' ? setting === 'off' : setting !== 'on'
    })
    .map(
      ({ name, setting }) =>
        `${name} is ${setting}: an answered command could be lost; set it to on`,
    )
}

async function findGrantProblems(pool: pg.Pool): Promise<readonly string[]> {
  const rows = await readCatalog<{ table_name: string; right: string }>(
    pool,
    `select t.table_name, r.right
     from unnest(string_to_array('${APPEND_ONLY.join()}', ',')) as t(table_name),
          unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) as r("right")
     where has_table_privilege(format('ledger.%I', t.table_name), r.right)`,
  )
  return rows.map(
    ({ table_name, right }) =>
      `this role may ${right} ledger.${table_name}: connect as cairn_ledger, or revoke that right`,
  )
}

async function findTriggerProblems(pool: pg.Pool): Promise<readonly string[]> {
  const rows = await readCatalog<{ tgname: string }>(
    pool,
    `select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'ledger'::regnamespace and relhastriggers and tgenabled = 'A'`,
  )
  const enabled = new Set(rows.map(({ tgname }) => tgname))
  return [...GUARDS.keys()]
    .filter((name) => !enabled.has(name))
    .map(
      (name) =>
        `the trigger ${name} is not enabled always: find out who disabled it, then verify the log`,
    )
}

/**
 * What is wrong on the node that runs it: the triggers of its shards that are missing or not enabled
 * always, the settings with which a commit can be lost, and the search paths that were set for the
 * database or for a role of the platform. Citus connects to the node with such a path, so each name
 * and operator has its schema here.
 */
const NODE_CHECK = `
  select pg_catalog.json_build_object(
    'triggers', (
      select pg_catalog.json_agg(pg_catalog.format('%s_%s', guard.name, shard.shardid))
      from (values ${[...GUARDS]
        .map(([name, table]) => `('${name}', 'ledger.${table}'::pg_catalog.regclass)`)
        .join()}) as guard (name, relation)
        join pg_catalog.pg_dist_shard as shard
          on shard.logicalrelid operator(pg_catalog.=) guard.relation
        join pg_catalog.pg_dist_placement as placement
          on placement.shardid operator(pg_catalog.=) shard.shardid
        join pg_catalog.pg_dist_local_group as here
          on here.groupid operator(pg_catalog.=) placement.groupid
      where not exists (
        select from pg_catalog.pg_trigger
          join pg_catalog.pg_class on pg_class.oid operator(pg_catalog.=) tgrelid
        where tgname operator(pg_catalog.=) pg_catalog.format('%s_%s', guard.name, shard.shardid)
          and relhastriggers and tgenabled operator(pg_catalog.=) 'A')),
    'settings', (select pg_catalog.json_agg(
      pg_catalog.json_build_object('name', name, 'setting', setting)) from (
      ${DURABILITY_SETTINGS}) as found),
    'paths', (
      select pg_catalog.json_agg(setting)
      from pg_catalog.pg_db_role_setting cross join pg_catalog.unnest(setconfig) as setting
      where setting operator(pg_catalog.~~) 'search\\_path=%'
        and (setdatabase operator(pg_catalog.=) 0 or exists (
          select from pg_catalog.pg_database where oid operator(pg_catalog.=) setdatabase
            and datname operator(pg_catalog.=) pg_catalog.current_database()))
        and (setrole operator(pg_catalog.=) 0
          or pg_catalog.pg_get_userbyid(setrole) operator(pg_catalog.~~) 'cairn\\_%')))`

interface NodeFindings {
  readonly triggers: readonly string[] | null
  readonly settings: readonly Setting[] | null
  readonly paths: readonly string[] | null
}

/** On Citus, the triggers and settings that count are those of the nodes that have the shards. */
async function checkNodes(pool: pg.Pool): Promise<DatabaseCheck> {
  if (!(await isCitus(pool))) return { problems: [], silentNodes: new Map() }
  const { rows } = await pool.query<{ node: string; isAnswered: boolean; result: string }>(
    `select format('%s:%s', nodename, nodeport) as node, success as "isAnswered", result
     from run_command_on_all_nodes($1) as answer join pg_dist_node using (nodeid)`,
    [NODE_CHECK],
  )
  const silent = rows.filter(({ isAnswered }) => !isAnswered)
  const problems = rows
    .filter(({ isAnswered }) => isAnswered)
    .flatMap(({ node, result }) => describeFindings(node, JSON.parse(result) as NodeFindings))
  return { problems, silentNodes: new Map(silent.map(({ node, result }) => [node, result])) }
}

function describeFindings(
  node: string,
  { triggers, settings, paths }: NodeFindings,
): readonly string[] {
  return [
    ...(triggers ?? []).map(
      (name) =>
        `the trigger ${name} on the node ${node} is not enabled always: find out who disabled it, ` +
        'then verify the log',
    ),
    ...findWeakSettings(settings ?? []).map((problem) => `on the node ${node}, ${problem}`),
    ...(paths ?? []).map(
      (path) =>
        `on the node ${node}, the database or a role has the setting ${path}: find out who set it, ` +
        'reset it, then verify the log',
    ),
  ]
}
