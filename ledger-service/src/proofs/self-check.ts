import { openCheckpoint, ProofError, parseVerifierKey } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { findNewestNote } from './checkpoint-file.ts'
import { computeHeadAt } from './prove.ts'
import type { SigningKey } from './signing-key.ts'

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
export async function runSelfCheck(options: {
  pool: pg.Pool
  ledger: number
  key: SigningKey
  checkpointDir: string
}): Promise<readonly string[]> {
  const { pool } = options
  const problems = await Promise.all([
    findDurabilityProblems(pool),
    findGrantProblems(pool),
    findTriggerProblems(pool),
    findCheckpointFileProblems(options),
  ])
  return problems.flat()
}

async function findDurabilityProblems(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  return rows
    .filter(({ name, setting }) => {
      // With all other values of `synchronous_commit`, a commit waits at least until the server has
      // flushed it to disk.
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
 * Compares the log with the newest checkpoint in the files, to detect a restored or rewritten
 * database.
 */
async function findCheckpointFileProblems(options: {
  pool: pg.Pool
  ledger: number
  key: SigningKey
  checkpointDir: string
}): Promise<readonly string[]> {
  const { pool, ledger, key, checkpointDir } = options
  const newest = await findNewestNote({ folder: checkpointDir, ledger })
  if (newest === null) return []
  const { note, file } = newest
  const keys = [...(await listKnownKeys(pool, ledger)), parseOwnKey(key)]
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
  if (outside.origin !== key.origin) {
    return [
      `${file} belongs to ${outside.origin}, but this log is ${key.origin}: use the file of this log`,
    ]
  }
  const head = await computeHeadAt(pool, { ledger, size: null })
  if (head.size < outside.size) {
    return [
      `the log has ${head.size} events, but ${outside.size} were signed outside the database: ` +
        'an older state was restored; restore the newest state',
    ]
  }
  const { root } = await computeHeadAt(pool, { ledger, size: outside.size })
  if (root === Buffer.from(outside.root).toString('hex')) return []
  return [`the first ${outside.size} events are not those that were signed: run verify`]
}

function parseOwnKey(key: SigningKey) {
  return parseVerifierKey(key.verifierKey)
}

async function listKnownKeys(pool: pg.Pool, ledger: number) {
  const { rows } = await pool.query<{ verifier_key: string }>(
    'select verifier_key from ledger.log_key where ledger_id = $1',
    [ledger],
  )
  return rows.map(({ verifier_key }) => parseVerifierKey(verifier_key))
}
