import {
  type Checkpoint,
  formatVerifierKey,
  getNextOrigin,
  type Handover,
  openCheckpoint,
  openHandover,
  openKeys,
  ProofError,
  parseVerifierKey,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { findNewestNote, readNotes } from './checkpoint-file.ts'
import { getKeyFile, readKeyFile } from './key-file.ts'
import { findNewestKey, listVerifierKeys } from './log-keys.ts'
import { computeHeadAt } from './prove.ts'
import { openSigningKey, type SigningKey } from './signing-key.ts'

/** The data that must be written so that the next key can sign a log. */
export interface PlannedHandover {
  readonly ledger: number
  readonly handover: Handover
  /** The content of the file of keys. */
  readonly lines: readonly string[]
  /** The handovers that the log does not contain yet. */
  readonly fresh: readonly string[]
  readonly newKey: SigningKey
  /** True if an interrupted run has written `lines` already. */
  readonly isResumed: boolean
}

interface Planning {
  pool: pg.Pool
  ledger: number
  checkpointDir: string
  /** The present private key. `nextPem` is the next private key. */
  pem: string
  nextPem: string
  nowMs: number
}

/**
 * Plans the change to the next key. If the log is older than the files outside of the database, the
 * change is a fork. If an interrupted run has written into the file of keys, continues that run.
 * Returns null if nothing was signed, or if the next key signs the log already.
 */
export async function planHandover(planning: Planning): Promise<PlannedHandover | null> {
  const { pool, ledger, checkpointDir, pem, nextPem, nowMs } = planning
  const place = { folder: checkpointDir, ledger }
  const recorded = await listVerifierKeys(pool, ledger)
  const outside = await readKeyFile(place)
  if (outside.some((line, at) => at < recorded.length && line !== recorded[at])) {
    throw new Error(`${getKeyFile(place)} has other keys than the log: run verify`)
  }
  const known = outside.length > recorded.length ? outside : recorded
  const current = findNewestKey(known)
  if (current === null) return null
  const head = await readHead(pool, ledger)
  const next = openSigningKey({ pem: nextPem, origin: current.name })
  if (next.verifierKey === formatVerifierKey(current)) {
    if (recorded.length === known.length) return null
    return resumeHandover({ ledger, known, recorded, head, newKey: next })
  }
  const key = openSigningKey({ pem, origin: current.name })
  if (key.verifierKey !== formatVerifierKey(current)) {
    throw new Error(
      `ledger ${ledger} was last signed with ${formatVerifierKey(current)}, and the file of the ` +
        'signing key has another key: copy that key from a backup of the secrets first',
    )
  }
  const lost = await findLostHead(planning, { head, known, recorded })
  const origin = lost === null ? key.origin : getNextOrigin(key.origin)
  const newKey = openSigningKey({ pem: nextPem, origin })
  const handover = {
    ...head,
    lost: lost === null ? null : { ...lost, at: new Date(nowMs).toISOString() },
    oldKey: current,
    newKey: parseVerifierKey(newKey.verifierKey),
  }
  const lines = [...known, key.signHandover(handover)]
  const fresh = lines.slice(recorded.length)
  return { ledger, handover, lines, fresh, newKey, isResumed: false }
}

interface LogHead {
  size: bigint
  root: Buffer
}

async function readHead(pool: pg.Pool, ledger: number): Promise<LogHead> {
  const { size, root } = await computeHeadAt(pool, { ledger, size: null })
  return { size, root: Buffer.from(root, 'hex') }
}

function resumeHandover(begun: {
  ledger: number
  known: readonly string[]
  recorded: readonly string[]
  head: LogHead
  newKey: SigningKey
}): PlannedHandover {
  const { ledger, known, recorded, head, newKey } = begun
  const handover = openHandover(known.at(-1) ?? '')
  if (handover.size > head.size || !head.root.equals(handover.root)) {
    throw new Error(
      `ledger ${ledger}: the change of the key was begun on another state of the log, of ` +
        `${handover.size} events: restore that state`,
    )
  }
  const fresh = known.slice(recorded.length)
  return { ledger, handover, lines: known, fresh, newKey, isResumed: true }
}

/**
 * Compares the log with the newest head that was signed and kept outside of the database. Returns
 * this head if the log lacks some of its events, otherwise null. Throws if the log is not the
 * beginning of the signed log.
 */
async function findLostHead(
  { pool, ledger, checkpointDir }: Planning,
  log: { head: LogHead; known: readonly string[]; recorded: readonly string[] },
): Promise<LogHead | null> {
  const { head, known, recorded } = log
  const keys = openKeys(known)
  const place = { folder: checkpointDir, ledger }
  const newest = await findNewestNote(place)
  if (newest === null) return known.length > recorded.length ? head : null
  const signed = await openCheckpoint(newest.note, keys)
  const isBehind = signed.forks.length === 0 && signed.size > head.size
  if (!isBehind && known.length === recorded.length) return null
  const covered = await findNewestCheckpoint(place, { keys, size: head.size })
  if (covered !== null) {
    const { root } = await computeHeadAt(pool, { ledger, size: covered.size })
    if (root !== Buffer.from(covered.root).toString('hex')) {
      throw new Error(
        `ledger ${ledger}: the first ${covered.size} events differ from the signed events: the log ` +
          'was rewritten, not restored',
      )
    }
  }
  return signed.size > head.size ? { size: signed.size, root: Buffer.from(signed.root) } : head
}

/**
 * Returns the newest checkpoint of at most `size` events in the files; null if no file contains
 * such a checkpoint.
 */
async function findNewestCheckpoint(
  place: { folder: string; ledger: number },
  { keys, size }: { keys: readonly VerifierKey[]; size: bigint },
): Promise<Checkpoint | null> {
  for await (const note of readNotes(place)) {
    const checkpoint = await openCheckpoint(note, keys).catch((error: unknown) => {
      if (error instanceof ProofError) return null
      throw error
    })
    if (checkpoint !== null && checkpoint.forks.length === 0 && checkpoint.size <= size) {
      return checkpoint
    }
  }
  return null
}
