import { setTimeout as delay } from 'node:timers/promises'
import {
  openCheckpoint,
  openKeys,
  ProofError,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isCitus } from '../log/shards.ts'
import { runForEach } from '../service/run-for-each.ts'
import { appendCheckpoint, findNewestNote } from './checkpoint-file.ts'
import { readKeyFile, writeKeyFile } from './key-file.ts'
import { listVerifierKeys } from './log-keys.ts'
import { computeHeadAt } from './prove.ts'

interface Copying {
  ledger: number
  pool: pg.Pool
  checkpointDir: string
  clock: Clock
}

type CopyingAll = Omit<Copying, 'ledger'> & { listLedgers(): readonly number[]; log: Logger }

const PAUSE_MS = 5_000
const CHECKPOINTS_PER_RUN = 1_000
/** Other reads use the other connections, also while a node keeps these waiting. */
const STATES_AT_ONCE = 2

/**
 * Compares the log with the checkpoints that other instances have signed, and copies these
 * checkpoints into the files of this instance. Without the copies, this instance would not notice
 * that an older state was restored, and could sign a second history. Returns the number of copies.
 * Throws a ProofError if the log, its checkpoints and the files contradict each other.
 */
export async function copyCheckpoints(copying: Copying): Promise<number> {
  const { ledger, pool, checkpointDir, clock } = copying
  const place = { folder: checkpointDir, ledger }
  const lines = await listVerifierKeys(pool, ledger)
  if (lines.length === 0) return 0
  await copyKeys(place, lines)
  const keys = openKeys(lines)
  const after = await findCopiedSize(place, keys)
  const head = await computeHeadAt(pool, { ledger, size: null })
  if (head.size < after) {
    throw new ProofError(`the log has ${head.size} events, and ${after} were signed`)
  }
  const { rows } = await pool.query<{ size: bigint; note: string }>(
    `select size, note from ledger.checkpoint where ledger_id = $1 and size > $2
     order by size limit ${CHECKPOINTS_PER_RUN}`,
    [ledger, after],
  )
  // An instance writes a checkpoint to its files before it writes the checkpoint to the database.
  // If the instances share a folder, the files already contain the checkpoints that were read from
  // the database.
  const copied = await findCopiedSize(place, keys)
  const missing = rows.filter(({ size }) => size > copied)
  for (const { size, note } of missing) {
    const checkpoint = await openCheckpoint(note, keys)
    const { root } = await computeHeadAt(pool, { ledger, size })
    if (checkpoint.size !== size || Buffer.from(checkpoint.root).toString('hex') !== root) {
      throw new ProofError(`the first ${size} events differ from the signed events`)
    }
    await appendCheckpoint({ ...place, nowMs: clock.now() }, note)
  }
  return missing.length
}

/** Returns the size up to which the files contain the checkpoints of the present log. */
async function findCopiedSize(
  place: { folder: string; ledger: number },
  keys: readonly VerifierKey[],
): Promise<bigint> {
  const newest = await findNewestNote(place)
  if (newest === null) return 0n
  const { size, forks } = await openCheckpoint(newest.note, keys)
  return forks[0]?.size ?? size
}

async function copyKeys(
  place: { folder: string; ledger: number },
  lines: readonly string[],
): Promise<void> {
  const outside = await readKeyFile(place)
  if (outside.some((line, at) => line !== lines[at])) {
    throw new ProofError('the log has other signing keys than the file of keys')
  }
  if (outside.length < lines.length) await writeKeyFile(place, lines)
}

/** What a comparison of a log depends on. */
interface LogState {
  ledger: number
  size: bigint
  /** The newest checkpoint of the log; null if it has none. */
  note: string | null
}

/** Reads the state of all given ledgers with one query. */
async function readLogStates(
  pool: pg.Pool,
  ledgers: readonly number[],
): Promise<readonly LogState[]> {
  const { rows } = await pool.query<LogState>(
    `select head.ledger_id as ledger, head.size, (
       select note from ledger.checkpoint where checkpoint.ledger_id = head.ledger_id
       order by checkpoint.size desc limit 1) as note
     from ledger.head where head.ledger_id = any ($1::int[])`,
    [ledgers],
  )
  const found = new Map(rows.map((state) => [state.ledger, state]))
  return ledgers.map((ledger) => found.get(ledger) ?? { ledger, size: 0n, note: null })
}

/**
 * Reads the state of all ledgers that answer. On a Citus cluster, a node that is down makes the one
 * query for all ledgers fail. Each ledger then has its own, which Citus sends to one node.
 */
async function readAnsweringStates({
  pool,
  listLedgers,
  log,
}: CopyingAll): Promise<readonly LogState[]> {
  const ledgers = listLedgers()
  try {
    return await readLogStates(pool, ledgers)
  } catch (error) {
    if (!(await isCitus(pool))) throw error
    const states: LogState[] = []
    await runForEach({ items: ledgers, atOnce: STATES_AT_ONCE }, async (ledger) => {
      states.push(await readLogState(pool, ledger))
    }).catch((cause) => {
      log.warn({ err: cause }, 'not all logs can be read; their checkpoints are copied later')
    })
    return states
  }
}

async function readLogState(pool: pg.Pool, ledger: number): Promise<LogState> {
  const { rows } = await pool.query<LogState>(
    `select ledger_id as ledger, size, (
       select note from ledger.checkpoint where ledger_id = $1 order by size desc limit 1) as note
     from ledger.head where ledger_id = $1`,
    [ledger],
  )
  return rows[0] ?? { ledger, size: 0n, note: null }
}

/**
 * Returns a function that copies the checkpoints of all ledgers. It compares a log only if the log
 * has a new checkpoint, or fewer events than at the last comparison, so that a ledger without new
 * events costs no query. Throws a ProofError if a log and its checkpoints contradict each other.
 */
export function createCopier(options: CopyingAll): () => Promise<void> {
  const { listLedgers, log } = options
  const compared = new Map<number, LogState>()

  async function compare(state: LogState): Promise<void> {
    const { ledger } = state
    const before = compared.get(ledger) ?? { size: 0n, note: null }
    if (state.note === before.note && state.size >= before.size) return
    try {
      await copyCheckpoints({ ...options, ledger })
      compared.set(ledger, state)
    } catch (error) {
      if (error instanceof ProofError) throw error
      log.warn({ err: error, ledger }, 'the checkpoints could not be copied; will try again')
    }
  }

  return async () => {
    for (const state of await readAnsweringStates(options)) {
      // A ledger can move to another database during the comparison of the others.
      if (listLedgers().includes(state.ledger)) await compare(state)
    }
  }
}

/**
 * Copies checkpoints every few seconds. A contradiction ends the process, so that this instance
 * never becomes the active instance. The next start reports the contradiction.
 */
export function startCopying(options: CopyingAll & { endProcess?: () => void }): {
  stop(): Promise<void>
} {
  const { log, endProcess = () => process.exit(1) } = options
  const copyAll = createCopier(options)
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await copyAll().catch((error) => {
        if (!(error instanceof ProofError)) {
          log.warn({ err: error }, 'the checkpoints could not be copied; the ledger will try again')
          return
        }
        log.fatal({ err: error }, 'the log contradicts its checkpoints; this instance ends')
        endProcess()
      })
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
