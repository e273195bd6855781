import type { Logger } from 'pino'
import type { Clock } from '../service/clock.ts'
import {
  type Batch,
  type Entry,
  type Head,
  type OpenBatch,
  openBatch,
  PoisonedBatch,
  toPoisonAnswer,
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
  /** Called after each commit that added events, with the new size of the log. */
  onAppended?: (size: bigint) => void
  /** The source of the salts. A simulation supplies a deterministic one. */
  random?: (bytes: number) => Buffer
  /** Creates the row cache. A simulation supplies a small one. */
  newCache?: (tables: readonly Table[]) => Cache
}

export interface Committer {
  /** The number of entries in the open batch, and its limit when `waiting` entries are queued. */
  batch(waiting: number): { taken: number; max: number }
  /**
   * Loads the rows that the entries need and decides them into the open batch. The batch is sent as
   * soon as no other batch commits, and its callers are answered after the commit. Returns the entries
   * that were not decided.
   */
  decide(entries: readonly Entry[]): Promise<readonly Entry[]>
  /** Encodes the open batch while another one commits. Call it when no entries are queued. */
  prepare(): void
  /** Returns the entries of batches that were not written, once. They precede all queued entries. */
  takeReturned(): readonly Entry[]
  /** Size of the batch being committed; 0 if none. */
  committingSize(): number
  /** True if no batch is open or committing and no entries were returned. */
  isIdle(): boolean
  /** True if the outcome of a commit is unknown, because the database did not answer. */
  isUnresolved(): boolean
  isReady(): boolean
  /** True if the caller should pause before the next attempt. */
  shouldPause(): boolean
  close(): Promise<void>
}

interface Session {
  store: StoreSession
  cache: Cache
  /** The head after the last batch that was sent, committed or not. */
  head: Head
  /** The rows of that batch. The cache must not evict them before the commit. */
  deciding: BatchRows
}

const BATCH_MAX = 500
/** Smaller batches do not reduce the cost in the database. */
const HALF_MIN = 8

/** At most two batches are in progress: one commits while the next one is open and grows. */
export function createCommitter(options: CommitterOptions & { onCommitEnded(): void }): Committer {
  const { model, clock, log, newCache = createCache } = options
  let session: Session | null = null
  /** A working connection whose cached rows were discarded. */
  let spare: StoreSession | null = null
  /** True after an outage or a lost fence: an immediate retry would disturb the active writer. */
  let mustPause = false
  let open: OpenBatch | null = null
  let committing: { batch: Batch; ended: Promise<void> } | null = null
  let returnedEntries: readonly Entry[] = []
  /** The batch whose commit was not answered, until the next session determines its outcome. */
  let unresolved: Batch | null = null
  /** The batch limit after a batch with bad data, until the faulty entries are found. */
  let batchLimit: number | null = null
  const quarantine = createQuarantine()

  function committingSize(): number {
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

  async function closeSession(): Promise<void> {
    const dropped = [session?.store, spare]
    session = null
    spare = null
    await Promise.allSettled(dropped.map((store) => store?.close()))
  }

  /** Discards the cached rows and reuses the connection. */
  function discardSession(): void {
    spare = session?.store ?? spare
    session = null
  }

  /** Taking the head waits for an unanswered commit; the stored leaf then shows its outcome. */
  async function reopen(): Promise<void> {
    mustPause = true
    const opened = await openSession()
    session = opened
    returnedEntries = await resolveUnknown(opened)
    mustPause = false
  }

  async function resolveUnknown({ store }: Session): Promise<readonly Entry[]> {
    const batch = unresolved
    if (batch === null) return []
    const seq = batch.from.frontier.size
    const leaf = batch.firstLeaf === null ? null : await store.findLeaf(seq)
    // Cleared only after the look-up, which can fail as well.
    unresolved = null
    if (leaf === null || batch.firstLeaf === null) return batch.entries
    return leaf.equals(batch.firstLeaf) ? answerAll(batch) : batch.entries
  }

  async function decide(entries: readonly Entry[]): Promise<readonly Entry[]> {
    if (session === null) {
      await committing?.ended
      // Returned entries precede these.
      if (returnedEntries.length === 0) await reopen()
      if (returnedEntries.length > 0) return entries
    }
    const opened = session
    if (entries.length === 0 || opened === null) return entries

    const { cache, store } = opened
    if (open === null) cache.evict(opened.deciding)
    const [settled] = await Promise.all([
      loadSettled(store, entries),
      loadNeeds(store, { entries, cache, model }),
    ])
    // The session was replaced during loading, so the loaded rows may be stale.
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
    committing = { batch, ended: commit(batch, session).then(handleCommitEnd) }
  }

  /** The open batch depends on the committed one. If that was not written, both are decided again. */
  function handleCommitEnd(returned: readonly Entry[]): void {
    committing = null
    if (returned.length > 0 || session === null) {
      returnedEntries = [...returned, ...(open?.entries ?? [])]
      open = null
    } else {
      commitIfFree()
    }
    options.onCommitEnded()
  }

  async function commit(batch: Batch, { store }: Session): Promise<readonly Entry[]> {
    try {
      if (await writeBatch(batch, store)) {
        // Answers are sent after the next batch, so that the database does not idle.
        setImmediate(answerAll, batch)
        // Halved after each batch with bad data and doubled after each good one.
        if (batchLimit !== null) batchLimit = batchLimit * 2 < BATCH_MAX ? batchLimit * 2 : null
        return []
      }
      log.warn({ size: String(batch.from.frontier.size) }, 'another writer holds the fence')
      discardSession()
      mustPause = true
      return batch.entries
    } catch (error) {
      log.error({ err: error, entries: batch.entries.length }, 'the batch was not committed')
      if (error instanceof RefusedData) return handleRefusedData(batch, store)
      await closeSession()
      mustPause = true
      unresolved = batch
      return []
    }
  }

  async function handleRefusedData(batch: Batch, store: StoreSession): Promise<readonly Entry[]> {
    const [only, ...others] = batch.entries
    const isAlone = only !== undefined && others.length === 0
    // A batch is faulty only while this writer holds the head; otherwise its rows may be stale.
    const isCulprit = isAlone && (await store.holdsHead(batch.from).catch(() => false))
    discardSession()
    batchLimit = Math.ceil(batch.entries.length / 2)
    if (!isCulprit) return batch.entries
    failEntry(only)
    return []
  }

  function failEntry(culprit: Entry): void {
    quarantine.add(culprit)
    culprit.answer(toPoisonAnswer(culprit))
  }

  function answerAll(batch: Batch): readonly Entry[] {
    batch.answers.forEach((answer, index) => {
      batch.entries[index]?.answer(answer)
    })
    if (batch.firstLeaf !== null) options.onAppended?.(batch.to.frontier.size)
    return []
  }

  async function recoverFromError(entries: readonly Entry[], error: unknown) {
    log.error({ err: error }, 'the batch could not be decided')
    // The open batch may already contain some of the entries.
    const undecided = [...new Set([...(open?.entries ?? []), ...entries])]
    open = null
    await committing?.ended
    if (!(error instanceof PoisonedBatch)) return closeAndReturn(undecided)
    const decidedOn = session?.head
    discardSession()
    if (returnedEntries.length > 0 || decidedOn === undefined) return undecided
    try {
      session = await openSession()
    } catch {
      return closeAndReturn(undecided)
    }
    // If another writer took the head in between, the rows were inconsistent and no entry is faulty.
    if (session.head.epoch !== decidedOn.epoch + 1n) return undecided
    failEntry(error.culprit)
    return undecided.filter((entry) => entry !== error.culprit)
  }

  async function closeAndReturn(entries: readonly Entry[]): Promise<readonly Entry[]> {
    await closeSession()
    mustPause = true
    return entries
  }

  return {
    batch: (waiting) => {
      const taken = open?.entries.length ?? 0
      // Only one batch is in progress while faulty entries are searched for.
      if (batchLimit !== null) return { taken, max: committing === null ? batchLimit : 0 }
      // No batch commits, so the entries need not be split.
      if (committing === null) return { taken, max: BATCH_MAX }
      // Two halves: with unequal batches, the database idles until callers of the large one return.
      const half = Math.ceil((taken + committingSize() + waiting) / 2)
      return { taken, max: Math.min(BATCH_MAX, Math.max(HALF_MIN, half)) }
    },
    decide: (entries) => decide(entries).catch((error) => recoverFromError(entries, error)),
    prepare: () => {
      if (open !== null && open.entries.length >= committingSize())
        session?.store.prepare(open.rows())
    },
    takeReturned: () => {
      const taken = returnedEntries
      returnedEntries = []
      return taken
    },
    committingSize,
    isIdle: () => committing === null && open === null && returnedEntries.length === 0,
    isUnresolved: () => unresolved !== null,
    isReady: () => session !== null,
    shouldPause: () => mustPause,
    close: async () => {
      await committing?.ended
      await closeSession()
    },
  }
}
