import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Durability } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { requireDurability } from '../../log/durability.ts'
import { changeSeal, readSealedState, type Seal, type SealedState } from '../../log/seal.ts'
import { findPlacement, isCitus } from '../../log/shards.ts'
import { runDatabaseCheck } from '../../proofs/database-check.ts'
import { findSchemaProblems } from '../../proofs/schema-definitions.ts'
import { verifyLog } from '../../proofs/verify.ts'
import { commitConfirmed, SHOW_WARNINGS } from '../database/confirmed.ts'
import { connectClient, createPool } from '../database/pool.ts'
import type { Place } from '../directory/place.ts'
import { type Copied, copyLedger } from './copy-ledger.ts'

/** 'move' in ASCII, the namespace of the locks that admit one mover for each ledger. */
const LOCK_SPACE = 0x6d6f7665
const LOCK_MS_MAX = 5_000
const LONG_SESSION = `${SHOW_WARNINGS}; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`
const LOCK_RETRY_MS = 100
/** The events that may be copied while the source is sealed. */
const TAIL_EVENTS_MAX = 10_000n
/** A ledger that grows faster than it is copied is sealed after this number of copies. */
const COPIES_MAX = 10

/** The steps of a move, in order. A process that is killed after any of them continues later. */
export const MOVE_STEPS = [
  'events copied',
  'first copy',
  'first copy verified',
  'sealed',
  'tail copied',
  'tail verified',
  'decided',
  'opened',
  'switched',
] as const
export type MoveStep = (typeof MOVE_STEPS)[number]

export interface Moved {
  /** The number of events of the ledger. */
  readonly size: bigint
  /** The time in milliseconds for which the source was sealed before the target was opened. */
  readonly sealedMs: number
}

export interface MoveOptions {
  readonly ledger: number
  readonly source: Place
  readonly target: Place
  readonly durability: Durability
  /** Writes the directory in which the target holds the ledger. */
  switchDirectory(): Promise<void>
  /** Called after each step. */
  onStep?: (step: MoveStep) => void | Promise<void>
  /** Seals the source. Replaced in a test that shows why the seal is needed. */
  sealSource?: typeof changeSeal
}

interface Mover extends MoveOptions {
  readonly from: pg.Client
  readonly to: pg.Client
  readonly targetPool: pg.Pool
  readonly stateFolder: string
  readonly token: bigint
  onStep(step: MoveStep): void | Promise<void>
  sealSource: typeof changeSeal
}

/**
 * Moves a ledger to another place while it is used. The source records nothing from the seal until
 * the services have read the new directory. A failure before the decision opens the source again. A
 * process that was killed continues with the next call, or `keepLedger` opens the source.
 */
export function moveLedger(options: MoveOptions): Promise<Moved> {
  return connectMover(options, async (mover) => {
    const { ledger, from } = mover
    const state = await readSealedState(from, ledger)
    if (state === null) throw new Error(`ledger ${ledger} has no events: change LEDGER_DIRECTORY`)
    requireSameTarget(state, mover)
    const began = performance.now()
    if (state.seal?.kind === 'left') return finishMove(mover, { state, began })
    // A move that was interrupted begins again, so that the source is sealed for a short time only.
    await openAgain(mover)
    await copyWhileOpen(mover)
    return copyTail(mover)
  })
}

/**
 * Opens a source that an interrupted move has sealed. Returns false if it is not sealed. Throws if the
 * ledger has left already.
 */
export async function keepLedger({ ledger, source }: Pick<MoveOptions, 'ledger' | 'source'>) {
  const client = await connectClient({
    url: source.databaseUrl,
    name: 'ledger-move',
    pipeline: false,
  })
  try {
    await client.query(LONG_SESSION)
    await lockMove(client, ledger)
    const state = await readSealedState(client, ledger)
    const found = state?.seal ?? null
    if (found === null) return false
    if (found.kind !== 'leaving') {
      throw new Error(`ledger ${ledger} has left this place: it can only be moved back`)
    }
    return await commitConfirmed(client, () =>
      changeSeal(client, { ledger, from: found, to: null }),
    )
  } finally {
    await client.end()
  }
}

async function connectMover(
  options: MoveOptions,
  work: (mover: Mover) => Promise<Moved>,
): Promise<Moved> {
  const { source, target, ledger, durability } = options
  const { onStep = () => {}, sealSource = changeSeal } = options
  const name = 'ledger-move'
  const clients: pg.Client[] = []
  const targetPool = createPool({ url: target.databaseUrl, max: 4, name })
  const stateFolder = await mkdtemp(join(tmpdir(), 'cairn-move-'))
  try {
    const connect = async (url: string) => {
      const client = await connectClient({ url, name, pipeline: false })
      clients.push(client)
      await client.query(LONG_SESSION)
      return client
    }
    /** A cluster has its locks on the coordinator, and the rows of a ledger on one node. */
    const connectPlace = async ({ databaseUrl }: Place) => {
      const locking = await connect(databaseUrl)
      await lockMove(locking, ledger)
      if (!(await isCitus(locking))) return locking
      return connect((await findPlacement(locking, { databaseUrl, ledger })).databaseUrl)
    }
    const from = await connectPlace(source)
    const to = await connectPlace(target)
    await requireDurability(to, durability)
    await requireSoundTarget(targetPool)
    const parts = { from, to, targetPool, stateFolder, onStep, sealSource }
    return await work({ ...options, ...parts, token: createSealToken(target.name) })
  } finally {
    await Promise.all([targetPool.end(), ...clients.map((client) => client.end())])
    await rm(stateFolder, { recursive: true, force: true })
  }
}

/**
 * Takes the lock until the connection ends. Waits for a moment, because the server needs time to
 * notice that a former mover was killed.
 */
async function lockMove(client: pg.Client, ledger: number): Promise<void> {
  for (let waitedMs = 0; waitedMs <= LOCK_MS_MAX; waitedMs += LOCK_RETRY_MS) {
    const { rows } = await client.query<{ isFree: boolean }>(
      `select pg_try_advisory_lock(${LOCK_SPACE}, $1) as "isFree"`,
      [ledger],
    )
    if (rows[0]?.isFree === true) return
    await delay(LOCK_RETRY_MS)
  }
  throw new Error(`another process moves ledger ${ledger}`)
}

async function requireSoundTarget(pool: pg.Pool): Promise<void> {
  const problems = [...(await runDatabaseCheck(pool)), ...(await findSchemaProblems(pool))]
  if (problems.length > 0) {
    throw new Error(`the target cannot take the ledger: ${problems.join('\n  ')}`)
  }
}

/** Returns the token of a sealed head. It names the target, so that a move ends where it began. */
export function createSealToken(target: string): bigint {
  return createHash('sha256').update(`moves to ${target}`).digest().readBigUInt64BE() >> 1n
}

function requireSameTarget({ seal }: SealedState, { ledger, target, token }: Mover): void {
  if (seal === null || (seal.kind !== 'arriving' && seal.token === token)) return
  throw new Error(
    seal.kind === 'arriving'
      ? `this place has only an unfinished copy of ledger ${ledger}: correct LEDGER_DIRECTORY`
      : `ledger ${ledger} is on its way to another place than ${target.name}: continue that move`,
  )
}

/** Copies and verifies until the rest is small. The source stays open. */
async function copyWhileOpen(mover: Mover): Promise<void> {
  for (let copies = 1; copies <= COPIES_MAX; copies += 1) {
    const { size } = await copy(mover)
    await mover.onStep('first copy')
    await verify(mover)
    const state = await readSealedState(mover.from, mover.ledger)
    if ((state?.size ?? size) - size <= TAIL_EVENTS_MAX) break
  }
  await mover.onStep('first copy verified')
}

/** Seals the source, copies the rest and gives the ledger to the target. */
async function copyTail(mover: Mover): Promise<Moved> {
  const { ledger, from, token } = mover
  const began = performance.now()
  try {
    await seal(mover, { from: null, to: { kind: 'leaving', token } })
    await mover.onStep('sealed')
    const copied = await copy(mover)
    await mover.onStep('tail copied')
    await verify(mover)
    await mover.onStep('tail verified')
    const state = await readSealedState(from, ledger)
    if (state === null || state.size !== copied.size || !state.root.equals(copied.root)) {
      throw new Error('the source has changed after it was sealed')
    }
    // From here on, the source cannot be opened any more.
    await seal(mover, { from: { kind: 'leaving', token }, to: { kind: 'left', token } })
    await mover.onStep('decided')
    return await finishMove(mover, { state, began })
  } catch (error) {
    await openAgain(mover).catch(() => {})
    throw error
  }
}

async function seal(
  { ledger, from: source, sealSource }: Mover,
  change: { from: Seal | null; to: Seal },
): Promise<void> {
  const isChanged = await commitConfirmed(source, () => sealSource(source, { ...change, ledger }))
  if (!isChanged) throw new Error('another process has changed the seal of the source')
}

/** Does nothing after the decision. */
async function openAgain({ ledger, from: source, token }: Mover): Promise<void> {
  await changeSeal(source, { ledger, from: { kind: 'leaving', token }, to: null })
}

async function finishMove(
  mover: Mover,
  { state, began }: { state: SealedState; began: number },
): Promise<Moved> {
  const { ledger, to, token } = mover
  const copied = await readSealedState(to, ledger)
  if (copied?.seal !== null) {
    if (copied === null || copied.size !== state.size || !copied.root.equals(state.root)) {
      throw new Error(
        `the target lacks events of ledger ${ledger}: it is not the target of the move`,
      )
    }
    const arriving: Seal = { kind: 'arriving', token }
    await commitConfirmed(to, () => changeSeal(to, { ledger, from: arriving, to: null }))
  }
  const sealedMs = performance.now() - began
  await mover.onStep('opened')
  await mover.switchDirectory()
  await mover.onStep('switched')
  return { size: state.size, sealedMs }
}

function copy({ from: source, to: target, ledger, token, onStep }: Mover): Promise<Copied> {
  return copyLedger(
    { source, target, ledger },
    { token, beforeHead: async () => onStep('events copied') },
  )
}

/** Each verification continues from the one before, so that the last one reads only the rest. */
async function verify({ targetPool, ledger, stateFolder }: Mover): Promise<void> {
  const since = BigInt(Number.MAX_SAFE_INTEGER)
  const { problems } = await verifyLog(targetPool, { ledger, since, stateFolder })
  if (problems.length > 0) throw new Error(`the copy differs: ${problems.join('\n  ')}`)
}
