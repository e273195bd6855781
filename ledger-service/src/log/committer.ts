import type { Logger } from 'pino'
import type { Clock } from '../service/clock.ts'
import {
  type Batch,
  type Entry,
  type Head,
  type OpenBatch,
  openBatch,
  PoisonedBatch,
  poisoned,
} from './batch.ts'
import { loadNeeds, loadPinned, loadSettled } from './loader.ts'
import type { Model } from './model.ts'
import { createQuarantine } from './quarantine.ts'
import { RefusedData, type Store, type StoreSession } from './store.ts'
import type { BatchRows, Table } from './table.ts'
import { type Cache, createCache } from './view.ts'
import { writeBatch } from './write-batch.ts'

export interface CommitterOptions {
  ledger: number
  store: Store
  model: Model
  clock: Clock
  log: Logger
  /** Told after each commit that added events. */
  onAppended?: (size: bigint) => void
  /** The salts' bytes; only a simulation wants the same ones again. */
  random?: (bytes: number) => Buffer
  /** Its memory; a simulation wants a small one. */
  newCache?: (tables: readonly Table[]) => Cache
}

export interface Committer {
  /** Of the batch that is open: how many it has, and how many it takes while so many others wait. */
  batch(waiting: number): { taken: number; max: number }
  /**
   * Loads what the entries need and decides them into the open batch, which leaves for the database
   * as soon as that is free, and answers its callers. Returns entries whose turn is still to come.
   */
  decide(entries: readonly Entry[]): Promise<readonly Entry[]>
  /** Nobody else is expected: what the open batch sends is made ready while another one commits. */
  prepare(): void
  /** Entries of batches that turned out not to be written, once: they come before all others. */
  takeFallen(): readonly Entry[]
  /** How many entries the batch has that commits; 0 when none does. */
  underWay(): number
  /** Nothing is open, under way or fallen. */
  isIdle(): boolean
  /** A commit was never answered, and what became of it is not known yet. */
  isUnresolved(): boolean
  isReady(): boolean
  /** Whether to wait a little before the next try. */
  shouldRest(): boolean
  close(): Promise<void>
}

interface Session {
  store: StoreSession
  cache: Cache
  /** After the last batch handed to the database, committed or not. */
  head: Head
  /** The rows of that batch: until it is committed they must not be forgotten. */
  deciding: BatchRows
}

const BATCH_MAX = 500
/** Fewer than these cost the database hardly less. */
const HALF_MIN = 8

/** Two batches at most are under way: while one commits, the next is open and decided as it grows. */
export function createCommitter(options: CommitterOptions & { onLanded(): void }): Committer {
  const { model, clock, log, newCache = createCache } = options
  let session: Session | null = null
  /** A connection that still works, while what was remembered over it has been dropped. */
  let spare: StoreSession | null = null
  /** After an outage or a lost fence; going on at once would only disturb whoever is at work. */
  let mustRest = false
  let open: OpenBatch | null = null
  let committing: { batch: Batch; landed: Promise<void> } | null = null
  let fallen: readonly Entry[] = []
  /** The batch whose commit was never answered, until the next session finds out. */
  let unresolved: Batch | null = null
  /** After a batch with bad data: how many entries go together until the culprits are found. */
  let togetherMax: number | null = null
  const quarantine = createQuarantine()

  function underWay(): number {
    return committing?.batch.entries.length ?? 0
  }

  async function openSession(): Promise<Session> {
    const store = spare ?? (await options.store.open())
    spare = store
    const head = await store.takeHead(clock.now())
    const cache = newCache(model.tables)
    await loadPinned(store, { tables: model.pinned, cache })
    spare = null
    log.info({ size: String(head.frontier.size), epoch: String(head.epoch) }, 'the log is open')
    return { store, cache, head, deciding: new Map() }
  }

  async function drop(): Promise<void> {
    const dropped = [session?.store, spare]
    session = null
    spare = null
    await Promise.allSettled(dropped.map((store) => store?.close()))
  }

  /** Forgets what was decided on; the connection has done nothing wrong. */
  function forget(): void {
    spare = session?.store ?? spare
    session = null
  }

  /** The epoch bump in it waits for a commit nobody heard of; the leaf then tells what that did. */
  async function reopen(): Promise<void> {
    mustRest = true
    const opened = await openSession()
    session = opened
    fallen = await resolveUnknown(opened)
    mustRest = false
  }

  async function resolveUnknown({ store }: Session): Promise<readonly Entry[]> {
    const batch = unresolved
    if (batch === null) return []
    const seq = batch.from.frontier.size
    const leaf = batch.firstLeaf === null ? null : await store.findLeaf(seq)
    // Not before the answer is known: the look-up may fail as well.
    unresolved = null
    if (leaf === null || batch.firstLeaf === null) return batch.entries
    return leaf.equals(batch.firstLeaf) ? answerAll(batch) : batch.entries
  }

  async function decide(entries: readonly Entry[]): Promise<readonly Entry[]> {
    if (session === null) {
      await committing?.landed
      // What fell stands before these.
      if (fallen.length === 0) await reopen()
      if (fallen.length > 0) return entries
    }
    const opened = session
    if (entries.length === 0 || opened === null) return entries

    const { cache, store } = opened
    if (open === null) cache.evict(opened.deciding)
    const [settled] = await Promise.all([
      loadSettled(store, entries),
      loadNeeds(store, { entries, cache, model }),
    ])
    // What was loaded stood on a batch that fell meanwhile.
    if (session !== opened) return entries
    open ??= openBatch({ ...options, head: opened.head, cache, isPoison: quarantine.has })
    const later = open.add(entries, settled)
    commitIfFree()
    return later
  }

  function commitIfFree(): void {
    if (committing !== null || session === null || open === null) return
    const batch = open.close()
    open = null
    session.head = batch.to
    session.deciding = batch.rows
    committing = { batch, landed: commit(batch, session).then(land) }
  }

  /** What was decided meanwhile stands on this batch; if it fell, both are decided again. */
  function land(returned: readonly Entry[]): void {
    committing = null
    if (returned.length > 0 || session === null) {
      fallen = [...returned, ...(open?.entries ?? [])]
      open = null
    } else {
      commitIfFree()
    }
    options.onLanded()
  }

  async function commit(batch: Batch, { store }: Session): Promise<readonly Entry[]> {
    try {
      if (await writeBatch(batch, store)) {
        // The next batch leaves first: answering takes a while, and the database would idle.
        setImmediate(answerAll, batch)
        // Halved with each batch of bad data and doubled with each good one: few culprits cost little.
        if (togetherMax !== null) togetherMax = togetherMax * 2 < BATCH_MAX ? togetherMax * 2 : null
        return []
      }
      log.warn({ size: String(batch.from.frontier.size) }, 'another writer holds the fence')
      forget()
      mustRest = true
      return batch.entries
    } catch (error) {
      log.error({ err: error, entries: batch.entries.length }, 'a batch was not committed')
      if (error instanceof RefusedData) return refusedData(batch, store)
      await drop()
      mustRest = true
      unresolved = batch
      return []
    }
  }

  async function refusedData(batch: Batch, store: StoreSession): Promise<readonly Entry[]> {
    const [only, ...others] = batch.entries
    const isAlone = only !== undefined && others.length === 0
    // Where another writer is at work, it may have taken what this one cannot.
    const isCulprit = isAlone && (await store.holdsHead(batch.from).catch(() => false))
    forget()
    togetherMax = Math.ceil(batch.entries.length / 2)
    if (!isCulprit) return batch.entries
    convict(only)
    return []
  }

  function convict(culprit: Entry): void {
    quarantine.add(culprit)
    culprit.answer(poisoned(culprit))
  }

  function answerAll(batch: Batch): readonly Entry[] {
    batch.answers.forEach((answer, index) => {
      batch.entries[index]?.answer(answer)
    })
    if (batch.firstLeaf !== null) options.onAppended?.(batch.to.frontier.size)
    return []
  }

  async function startAgain(entries: readonly Entry[], error: unknown) {
    log.error({ err: error }, 'the batch could not be decided')
    // Some of the entries may stand in the open batch already.
    const undecided = [...new Set([...(open?.entries ?? []), ...entries])]
    open = null
    await committing?.landed
    if (!(error instanceof PoisonedBatch)) return away(undecided)
    const decidedOn = session?.head
    forget()
    if (fallen.length > 0 || decidedOn === undefined) return undecided
    try {
      session = await openSession()
    } catch {
      return away(undecided)
    }
    // Where another writer was at work too, what was read did not fit together: nobody is to blame.
    if (session.head.epoch !== decidedOn.epoch + 1n) return undecided
    convict(error.culprit)
    return undecided.filter((entry) => entry !== error.culprit)
  }

  async function away(entries: readonly Entry[]): Promise<readonly Entry[]> {
    await drop()
    mustRest = true
    return entries
  }

  return {
    batch: (waiting) => {
      const taken = open?.entries.length ?? 0
      // While culprits are looked for, one batch is under way and no more.
      if (togetherMax !== null) return { taken, max: committing === null ? togetherMax : 0 }
      // What comes alone stays together.
      if (committing === null) return { taken, max: BATCH_MAX }
      // Halves: behind a small batch the database would wait until the big one's callers are back.
      const half = Math.ceil((taken + underWay() + waiting) / 2)
      return { taken, max: Math.min(BATCH_MAX, Math.max(HALF_MIN, half)) }
    },
    decide: (entries) => decide(entries).catch((error) => startAgain(entries, error)),
    prepare: () => {
      if (open !== null && open.entries.length >= underWay()) session?.store.prepare(open.rows())
    },
    takeFallen: () => {
      const taken = fallen
      fallen = []
      return taken
    },
    underWay,
    isIdle: () => committing === null && open === null && fallen.length === 0,
    isUnresolved: () => unresolved !== null,
    isReady: () => session !== null,
    shouldRest: () => mustRest,
    close: async () => {
      await committing?.landed
      await drop()
    },
  }
}
