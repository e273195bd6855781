import { systemClock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import { model } from '../domain/model.ts'
import { computeRoot, EMPTY_FRONTIER, packFrontier, unpackFrontier } from '../log/merkle.ts'
import { withOwnerPool } from '../service/database/owner-pool.ts'
import type { Head } from './compare-log.ts'
import { startComparison } from './compare-thread.ts'
import { createFindings } from './findings.ts'
import { findKeyProblems } from './log-keys.ts'
import { hashRange } from './paths.ts'
import type { Queryable } from './read-catalog.ts'
import { startReplay } from './replay-thread.ts'
import { findSchemaProblems } from './schema-definitions.ts'
import { exportSnapshot } from './snapshot.ts'
import { openStoredTree } from './stored-tree.ts'
import {
  readVerifiedState,
  removeLeftStates,
  replaceState,
  type VerifiedState,
} from './verified-state.ts'

export interface Verification {
  /** The number of events that an earlier run has verified. This run begins after these events. */
  from: bigint
  events: bigint
  postings: bigint
  checkpoints: number
  /** The first event with a problem; null if no event has a problem. */
  firstBadSeq: bigint | null
  problems: readonly string[]
}

interface VerifyOptions {
  ledger: number
  /**
   * If false, events are not decided again and projections are not compared. The default is true.
   */
  isReplaying?: boolean
  /**
   * The folder of the verified state: the state of the log after the last verification that found
   * no difference. The folder is outside of the database. By default, no state is read or kept.
   */
  stateFolder?: string | null
  /**
   * If this number is above zero, the verification continues from the kept state, unless the kept
   * state has more events than this number. With 0, the default, the verification reads all events.
   */
  since?: bigint
  /** The maximum number of checkpoints that are held in memory. */
  pageRows?: number
  /** The maximum number of events whose postings are held in memory before they are sorted. */
  apartMax?: number
  onProgress?: (done: bigint, of: bigint) => void
}

/**
 * Verifies the log in one snapshot. Compares bytes, hashes, root, subtrees, checkpoints, month
 * ends, postings and balances. Decides each event and each stored refusal again. Compares all
 * projections and the definitions of the schema. The time is linear in the number of events.
 */
export function verifyLog(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  return withOwnerPool(pool, options.ledger, (own) => verifyOnOwner(own, pool, options))
}

/** `own` reaches the node that has the rows of the ledger, `pool` the one that has all definitions. */
async function verifyOnOwner(
  own: pg.Pool,
  pool: pg.Pool,
  options: VerifyOptions,
): Promise<Verification> {
  const client = await own.connect()
  try {
    const snapshot = await exportSnapshot(client)
    const url = own.options.connectionString ?? ''
    const definitions = own === pool ? client : pool
    const verification = await verifySnapshot(client, { ...options, url, snapshot, definitions })
    await client.query('rollback')
    client.release()
    return verification
  } catch (error) {
    client.release(true)
    throw error
  }
}

let lastRun: Promise<unknown> = Promise.resolve()

/**
 * Verifies the log after all earlier calls of this function have ended, because each verification
 * occupies a connection of the pool until its end.
 */
export function verifyInTurn(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  const run = lastRun.then(() => verifyLog(pool, options))
  lastRun = run.catch(() => {})
  return run
}

async function verifySnapshot(
  client: pg.ClientBase,
  options: VerifyOptions & { url: string; snapshot: string; definitions: Queryable },
): Promise<Verification> {
  const { ledger, isReplaying = true, url, snapshot, stateFolder = null } = options
  const { pageRows, apartMax, onProgress } = options
  const found = createFindings()
  const { frontier, ...head } = await readHead(client, ledger)
  found.addProblems(findFrontierProblems({ ...head, frontier }))
  const state = isReplaying ? await findState(client, options, head.size) : null
  const fork = await readForkHash(client, { ledger, size: head.size })
  const part = { url, snapshot, ledger, ...head, fork, stateFolder, isContinued: state !== null }
  const replay = isReplaying ? startReplay(part) : null
  const comparison = startComparison({ ...part, pageRows, apartMax }, (done) =>
    onProgress?.(done, head.size),
  )
  try {
    const compared = await comparison.compared
    found.addFindings(compared)
    found.addProblems(await findSchemaProblems(options.definitions))
    const { getSubtreeHash } = openStoredTree(client, ledger)
    const computeRootAt = (size: bigint) => hashRange(getSubtreeHash, 0n, size)
    found.addProblems(await findKeyProblems(client, { ledger, computeRootAt }))
    for (const { seq, problem } of (await replay?.problems) ?? []) {
      if (seq === null) found.add(problem)
      else found.addProblemAt(seq, problem)
    }
    if (stateFolder !== null) {
      const from = state?.size ?? 0n
      await replaceState({ folder: stateFolder, ledger }, { from, found: found.listProblems() })
    }
    return {
      from: state?.size ?? 0n,
      events: compared.events,
      postings: compared.postings,
      checkpoints: compared.checkpoints,
      firstBadSeq: found.getFirstBadSeq(),
      problems: found.listProblems(),
    }
  } finally {
    await Promise.all([comparison.stop(), replay?.stop()])
  }
}

/**
 * Returns the kept state, if the verification continues from it. The state of a log that lost events
 * since then is not used: it has another newest fork than the events of the present log.
 */
async function findState(
  client: pg.ClientBase,
  { ledger, since = 0n, stateFolder = null }: VerifyOptions,
  size: bigint,
): Promise<VerifiedState | null> {
  if (stateFolder === null) return null
  await removeLeftStates({ folder: stateFolder, ledger }, systemClock.now())
  if (since === 0n) return null
  const state = await readVerifiedState({ folder: stateFolder, ledger }, model.tables)
  if (state === null || state.size > since || state.size > size) return null
  const fork = await readForkHash(client, { ledger, size: state.size })
  return fork?.toString('hex') === state.fork?.toString('hex') ? state : null
}

/** Returns the hash of the newest LogForked among the first events; null if there is none. */
async function readForkHash(
  client: pg.ClientBase,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<Buffer | null> {
  const { rows } = await client.query<{ leaf_hash: Buffer }>(
    `select leaf_hash from ledger.event
     where ledger_id = $1 and type = 'LogForked' and seq < $2 order by seq desc limit 1`,
    [ledger, size],
  )
  return rows[0]?.leaf_hash ?? null
}

type StoredHead = Head & { frontier: Buffer }

async function readHead(client: pg.ClientBase, ledger: number): Promise<StoredHead> {
  const { rows } = await client.query<StoredHead>(
    `select size, root, frontier, last_recorded_at as "lastRecordedAtMs" from ledger.head
     where ledger_id = $1`,
    [ledger],
  )
  const [root, frontier] = [computeRoot(EMPTY_FRONTIER), packFrontier(EMPTY_FRONTIER)]
  return rows[0] ?? { size: 0n, root, frontier, lastRecordedAtMs: 0 }
}

/** A writer continues the tree from the frontier, and records nothing if it gives another root. */
function findFrontierProblems({ size, root, frontier }: StoredHead): readonly string[] {
  try {
    if (computeRoot(unpackFrontier(size, frontier)).equals(root)) return []
    return [`the root of ${size} events is not the root of the frontier in the head`]
  } catch (error) {
    return [`the frontier in the head: ${error instanceof Error ? error.message : error}`]
  }
}
