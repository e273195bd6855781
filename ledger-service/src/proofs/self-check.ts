import {
  formatVerifierKey,
  openCheckpoint,
  openKeys,
  ProofError,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { LostEvents } from '../log/answered.ts'
import { findNewestNote } from './checkpoint-file.ts'
import { runDatabaseCheck } from './database-check.ts'
import { getKeyFile, readKeyFile, writeKeyFile } from './key-file.ts'
import { findNewestKey, listVerifierKeys } from './log-keys.ts'
import { computeHead } from './prove.ts'
import type { Queryable } from './read-catalog.ts'
import type { SigningKey } from './signing-key.ts'
import { openStoredTree } from './stored-tree.ts'

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
