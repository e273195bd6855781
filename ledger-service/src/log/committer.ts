import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Batch, decideBatch, type Entry, type Head, PoisonedBatch, poisoned } from './batch.ts'
import { loadNeeds, loadPinned, loadSettled } from './loader.ts'
import { packFrontier } from './merkle.ts'
import type { Model } from './model.ts'
import { RefusedData, type Store, type StoreSession } from './store.ts'
import type { Table } from './table.ts'
import { type Cache, createCache } from './view.ts'

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
  /**
   * Decides the entries and starts their commit, which answers the callers. Returns entries whose
   * turn is still to come, of this batch or the one before. With none: lands what is under way.
   */
  write(entries: readonly Entry[]): Promise<readonly Entry[]>
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
  deciding: ReadonlyMap<Table, readonly object[]>
}

const NOTHING: Promise<readonly Entry[]> = Promise.resolve([])

/** Two batches at most are under way: one commits while the next is loaded and decided. */
export function createCommitter(options: CommitterOptions): Committer {
  const { model, clock, log, newCache = createCache } = options
  let session: Session | null = null
  /** A connection that still works, while what was remembered over it has been dropped. */
  let spare: StoreSession | null = null
  /** After an outage or a lost fence; going on at once would only disturb whoever is at work. */
  let mustRest = false
  let committing: Promise<readonly Entry[]> = NOTHING
  /** The batch whose commit was never answered, until the next session finds out. */
  let unresolved: Batch | null = null
  /** After a batch with bad data: how many entries go together until the culprits are found. */
  let togetherMax: number | null = null

  async function open(): Promise<Session> {
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

  /** The entries of the batch under way that turned out not to be written. */
  async function landed(): Promise<readonly Entry[]> {
    const returned = await committing
    committing = NOTHING
    return returned
  }

  /** The epoch bump in `open` waits for a commit nobody heard of; the leaf then tells what it did. */
  async function reopen(): Promise<readonly Entry[]> {
    mustRest = true
    const opened = await open()
    session = opened
    const returned = await resolveUnknown(opened)
    mustRest = false
    return returned
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

  async function decide(entries: readonly Entry[], { cache, store, head }: Session) {
    const [settled] = await Promise.all([
      loadSettled(store, entries),
      loadNeeds(store, { entries, cache, model }),
    ])
    const { random } = options
    const deciding = { entries, settled, head, cache, model, nowMs: clock.now() }
    return decideBatch(random === undefined ? deciding : { ...deciding, random })
  }

  async function commit(batch: Batch, { store }: Session): Promise<readonly Entry[]> {
    if (isEmpty(batch)) return answerAll(batch)
    try {
      if ((await store.append(moveOf(batch), batch.rows)) === 'written') {
        // The next batch leaves first: answering takes a while, and the database would idle.
        setImmediate(answerAll, batch)
        return []
      }
      log.warn({ size: String(batch.from.frontier.size) }, 'another writer holds the fence')
      forget()
      mustRest = true
      return batch.entries
    } catch (error) {
      log.error({ err: error, entries: batch.entries.length }, 'a batch was not committed')
      if (error instanceof RefusedData) return refusedData(batch)
      await drop()
      mustRest = true
      unresolved = batch
      return []
    }
  }

  function refusedData(batch: Batch): readonly Entry[] {
    forget()
    const [only, ...others] = batch.entries
    if (only === undefined || others.length > 0) {
      togetherMax = Math.ceil(batch.entries.length / 2)
      return batch.entries
    }
    only.answer(poisoned(only))
    togetherMax = 1
    return []
  }

  function answerAll(batch: Batch): readonly Entry[] {
    batch.answers.forEach((answer, index) => {
      batch.entries[index]?.answer(answer)
    })
    if (batch.firstLeaf !== null) options.onAppended?.(batch.to.frontier.size)
    return []
  }

  async function writeTogether(entries: readonly Entry[]): Promise<readonly Entry[]> {
    if (session === null) {
      const returned = [...(await landed()), ...(await reopen())]
      if (returned.length > 0) return [...returned, ...entries]
    }
    const opened = session
    if (entries.length === 0 || opened === null) return landed()

    opened.cache.evict(opened.deciding)
    const batch = await decide(entries, opened)
    const returned = await landed()
    // What was decided stands on the batch before; if that one fell, both are decided again.
    if (returned.length > 0 || session === null) return [...returned, ...entries]
    opened.head = batch.to
    opened.deciding = batch.rows
    committing = commit(batch, opened)
    return batch.later
  }

  async function startAgain(entries: readonly Entry[], error: unknown) {
    log.error({ err: error }, 'the batch could not be decided')
    const returned = await landed()
    if (!(error instanceof PoisonedBatch)) return away([...returned, ...entries])
    const decidedOn = session?.head
    forget()
    if (returned.length > 0 || decidedOn === undefined) return [...returned, ...entries]
    try {
      session = await open()
    } catch {
      return away(entries)
    }
    // Where another writer was at work too, what was read did not fit together: nobody is to blame.
    if (session.head.epoch !== decidedOn.epoch + 1n) return entries
    error.culprit.answer(poisoned(error.culprit))
    return entries.filter((entry) => entry !== error.culprit)
  }

  async function away(entries: readonly Entry[]): Promise<readonly Entry[]> {
    await drop()
    mustRest = true
    return entries
  }

  /** Halved with each batch of bad data and doubled with each good one, so few culprits cost little. */
  async function write(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const together = togetherMax === null ? entries : entries.slice(0, togetherMax)
    const later = entries.slice(together.length)
    const returned = await writeTogether(together).catch((error) => startAgain(together, error))
    if (togetherMax === null) return [...returned, ...later]

    const fallen = await landed()
    const isWritten = fallen.length === 0 && session !== null
    if (isWritten) togetherMax = later.length === 0 ? null : togetherMax * 2
    return [...fallen, ...returned, ...later]
  }

  return {
    write,
    isReady: () => session !== null,
    shouldRest: () => mustRest,
    close: async () => {
      await landed()
      await drop()
    },
  }
}

function isEmpty(batch: Batch): boolean {
  return [...batch.rows.values()].every((rows) => rows.length === 0)
}

function moveOf({ from, to, root }: Batch) {
  return {
    ledger: from.ledger,
    epoch: from.epoch,
    fromSize: from.frontier.size,
    size: to.frontier.size,
    root,
    frontier: packFrontier(to.frontier),
    lastRecordedAtMs: to.lastRecordedAtMs,
  }
}
