import {
  formatVerifierKey,
  openCheckpoint,
  openKeys,
  ProofError,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { LostEvents } from '../log/answered.ts'
import { isCitus } from '../log/shards.ts'
import { findNewestNote } from './checkpoint-file.ts'
import { getKeyFile, readKeyFile, writeKeyFile } from './key-file.ts'
import { findNewestKey, listVerifierKeys } from './log-keys.ts'
import { computeHead } from './prove.ts'
import type { SigningKey } from './signing-key.ts'
import { openStoredTree } from './stored-tree.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

const APPEND_ONLY = [
  'event',
  'posting',
  'refusal',
  'subtree',
  'checkpoint',
  'log_key',
  'trial_balance',
]
const GUARDS = [...APPEND_ONLY.map((table) => `${table}_append_only`), 'posting_zero_sum']

/**
 * Checks the protections of a ledger. Returns one sentence per problem, which also says what to do.
 * The service starts only if there are no problems.
 */
export async function runSelfCheck(options: Outside): Promise<readonly string[]> {
  const { pool, ledger } = options
  const problems = await Promise.all([
    runDatabaseCheck(pool),
    listVerifierKeys(pool, ledger).then((lines) => runLogCheck(options, lines)),
  ])
  return problems.flat()
}

/**
 * The part of the self-check that is the same for all ledgers of a database. A node of Citus that
 * does not answer is a problem.
 */
export async function runDatabaseCheck(pool: pg.Pool): Promise<readonly string[]> {
  const { problems, silentNodes } = await checkDatabase(pool)
  return [
    ...problems,
    ...[...silentNodes].map(([node, why]) => `the node ${node} cannot be checked: ${why}`),
  ]
}

export interface DatabaseCheck {
  readonly problems: readonly string[]
  /** The nodes of a Citus cluster that could not be checked, as `host:port`, and why. */
  readonly silentNodes: ReadonlyMap<string, string>
}

/** Like `runDatabaseCheck`, for a caller that can leave out the ledgers of a node. */
export async function checkDatabase(pool: pg.Pool): Promise<DatabaseCheck> {
  const [nodes, ...others] = await Promise.all([
    checkNodes(pool),
    findDurabilityProblems(pool),
    findGrantProblems(pool),
    findTriggerProblems(pool),
  ])
  return { problems: [...others.flat(), ...nodes.problems], silentNodes: nodes.silentNodes }
}

interface Setting {
  readonly name: string
  readonly setting: string
}

const DURABILITY_SETTINGS = `
  select name, setting from pg_settings
  where name in ('fsync', 'synchronous_commit', 'full_page_writes')`

async function findDurabilityProblems(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<Setting>(DURABILITY_SETTINGS)
  return findWeakSettings(rows)
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
  const { rows } = await pool.query<{ table_name: string; right: string }>(
    `select t.table_name, r.right
     from unnest($1::text[]) as t(table_name),
          unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) as r("right")
     where has_table_privilege(format('ledger.%I', t.table_name), r.right)`,
    [APPEND_ONLY],
  )
  return rows.map(
    ({ table_name, right }) =>
      `this role may ${right} ledger.${table_name}: connect as cairn_ledger, or revoke that right`,
  )
}

async function findTriggerProblems(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ tgname: string }>(
    `select tgname from pg_trigger
     where tgrelid in (select oid from pg_class where relnamespace = 'ledger'::regnamespace)
       and tgenabled = 'A'`,
  )
  const enabled = new Set(rows.map(({ tgname }) => tgname))
  return GUARDS.filter((name) => !enabled.has(name)).map(
    (name) =>
      `the trigger ${name} is not enabled always: find out who disabled it, then verify the log`,
  )
}

/**
 * What is wrong on the node that runs it: the triggers of its shards that are missing or not enabled
 * always, and the settings with which a commit can be lost.
 */
const NODE_CHECK = `
  select json_build_object(
    'triggers', (
      select json_agg(format('%s_%s', guard, shardid))
      from unnest(string_to_array('${GUARDS.join()}', ',')) as guard
        join pg_dist_shard on logicalrelid = ('ledger.' ||
          replace(replace(guard, '_append_only', ''), '_zero_sum', ''))::regclass
        join pg_dist_placement using (shardid) join pg_dist_local_group using (groupid)
      where not exists (
        select from pg_trigger where tgname = format('%s_%s', guard, shardid) and tgenabled = 'A')),
    'settings', (select json_agg(json_build_object('name', name, 'setting', setting)) from (
      ${DURABILITY_SETTINGS}) as found))`

interface NodeFindings {
  readonly triggers: readonly string[] | null
  readonly settings: readonly Setting[] | null
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

function describeFindings(node: string, { triggers, settings }: NodeFindings): readonly string[] {
  return [
    ...(triggers ?? []).map(
      (name) =>
        `the trigger ${name} on the node ${node} is not enabled always: find out who disabled it, ` +
        'then verify the log',
    ),
    ...findWeakSettings(settings ?? []).map((problem) => `on the node ${node}, ${problem}`),
  ]
}

interface Outside {
  pool: pg.Pool
  ledger: number
  key: SigningKey
  checkpointDir: string
}

/**
 * The part of the self-check for one ledger: compares the log with the keys and the newest
 * checkpoint in the files, to detect a restored or rewritten database. `lines` are the keys of the
 * log.
 */
export async function runLogCheck(
  options: Outside,
  lines: readonly string[],
): Promise<readonly string[]> {
  try {
    const problem = await findKeyProblem(options, lines)
    return problem === null
      ? await findNoteProblems({ ...options, client: options.pool }, lines)
      : [problem]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [
      `the signing keys of the log are not valid (${error.message}): run verify to find the cause`,
    ]
  }
}

/**
 * Compares the keys of the log with the key of this process and with the file of keys. Adds to this
 * file the handovers that another instance has recorded.
 */
async function findKeyProblem(
  { ledger, key, checkpointDir }: Outside,
  lines: readonly string[],
): Promise<string | null> {
  const place = { folder: checkpointDir, ledger }
  const outside = await readKeyFile(place)
  if (outside.length > 0 && lines.length > 0 && outside[0] !== lines[0]) {
    return (
      `the first key in ${getKeyFile(place)} is ${outside[0]}, the first key of this log is ` +
      `${lines[0]}: use its own file`
    )
  }
  if (outside.some((line, at) => at < lines.length && line !== lines[at])) {
    return `${getKeyFile(place)} has other changes of the key than the log: run verify`
  }
  if (outside.length > Math.max(lines.length, 1)) {
    return (
      `${getKeyFile(place)} has a change of the signing key that the log does not contain. ` +
      `If rotate-signing-key or declare-fork was interrupted, repeat it. Otherwise, ${OLDER_STATE}`
    )
  }
  const newest = findNewestKey(lines)
  if (newest !== null && formatVerifierKey(newest) !== key.verifierKey) {
    return (
      `the signing key of this process is ${key.verifierKey}, the log is signed with ` +
      `${formatVerifierKey(newest)}: restore its file, or repeat an interrupted rotate-signing-key`
    )
  }
  if (lines.length > outside.length) await writeKeyFile(place, lines)
  return null
}

const OLDER_STATE =
  'an older state was restored; restore the newest state, or accept the loss with ' +
  'npm run ledger -- declare-fork'

/**
 * Throws `LostEvents` if the log lacks events that were signed. The file of keys can contain a
 * change that the log does not contain yet. An example is the declaration of a loss that is not
 * recorded yet.
 */
export async function requireSigned(
  client: pg.ClientBase,
  { ledger, key, checkpointDir }: Omit<Outside, 'pool'>,
): Promise<void> {
  const recorded = await listVerifierKeys(client, ledger)
  const outside = await readKeyFile({ folder: checkpointDir, ledger })
  const lines = outside.length > recorded.length ? outside : recorded
  const problems = await findNoteProblems({ client, ledger, key, checkpointDir }, lines)
  if (problems.length > 0) throw new LostEvents(problems.join('; '))
}

async function findNoteProblems(
  { client, ledger, key, checkpointDir }: Omit<Outside, 'pool'> & { client: Queryable },
  lines: readonly string[],
): Promise<readonly string[]> {
  const newest = await findNewestNote({ folder: checkpointDir, ledger })
  if (newest === null) return []
  const { note, file } = newest
  const keys = openKeys([...lines, key.verifierKey])
  const outside = await openCheckpoint(note, keys).catch((error: unknown) => {
    if (error instanceof ProofError) return error
    throw error
  })
  if (outside instanceof ProofError) {
    return [
      `the newest checkpoint in ${file} cannot be verified (${outside.message}): ` +
        'find out who changed the file, and restore it from a copy',
    ]
  }
  // The loss of these events is not reported, because another instance has already declared it.
  if (outside.forks.length > 0) return []
  // The tree is not cached. After a loss of events, a cached tree could contain hashes of lost
  // events.
  const tree = openStoredTree(client, ledger)
  const head = await computeHead(tree, null)
  if (head.size < outside.size) {
    return [
      `the log has ${head.size} events, but ${outside.size} were signed outside the database: ` +
        OLDER_STATE,
    ]
  }
  const { root } = await computeHead(tree, outside.size)
  if (root === Buffer.from(outside.root).toString('hex')) return []
  return [`the first ${outside.size} events differ from the signed events: run verify`]
}
