import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { connectClient } from '../database/pool.ts'
import { type Batch, decideBatch, type Entry, type Head, PoisonedBatch, poisoned } from './batch.ts'
import { findLeaf, takeHead } from './head.ts'
import { loadNeeds, loadPinned, loadSettled } from './loader.ts'
import { packFrontier } from './merkle.ts'
import type { Model } from './model.ts'
import { type BatchStatement, batchStatement } from './statement.ts'
import type { Table } from './table.ts'
import { logTables } from './tables.ts'
import { type Cache, createCache } from './view.ts'

export interface CommitterOptions {
  ledger: number
  databaseUrl: string
  model: Model
  clock: Clock
  log: Logger
  /** Told after each commit that added events. */
  onAppended?: (size: bigint) => void
  /** The statement; tests weaken it to see that they would notice. */
  statement?: BatchStatement
}

export interface Committer {
  /**
   * Decides the entries and starts their commit, which answers the callers. Returns entries whose
   * turn is still to come, of this batch or the one before. With none: lands what is under way.
   */
  write(entries: readonly Entry[]): Promise<readonly Entry[]>
  isReady(): boolean
  close(): Promise<void>
}

interface Session {
  reader: pg.Client
  writer: pg.Client
  cache: Cache
  /** After the last batch handed to the database, committed or not. */
  head: Head
  /** The rows of that batch: until it is committed they must not be forgotten. */
  deciding: ReadonlyMap<Table, readonly object[]>
}

const NOTHING: Promise<readonly Entry[]> = Promise.resolve([])
/** SQLSTATE classes of a value the database refuses: nothing was written, and trying again is futile. */
const BAD_DATA = /^2[23]/

/** Two batches at most are under way: one commits while the next is loaded and decided. */
export function createCommitter(options: CommitterOptions): Committer {
  const { ledger, model, clock, log } = options
  const statement = options.statement ?? batchStatement([...logTables, ...model.tables])
  let session: Session | null = null
  let committing: Promise<readonly Entry[]> = NOTHING
  /** The batch whose commit was never answered, until the next session finds out. */
  let unresolved: Batch | null = null
  /** After a batch with bad data: how many entries go together until the culprit is found. */
  let togetherMax: number | null = null

  async function open(): Promise<Session> {
    const connect = (pipeline: boolean) =>
      connectClient({ url: options.databaseUrl, name: `ledger-${ledger}`, pipeline })
    const [reader, writer] = await Promise.all([connect(true), connect(false)])
    // The statement has no join that a plan could get wrong; this keeps a stale plan from trying.
    await writer.query('set enable_seqscan = off; set enable_hashjoin = off; set jit = off')
    const head = await takeHead(writer, ledger, clock.now())
    const cache = createCache(model.tables)
    await loadPinned(reader, { ledger, tables: model.pinned, cache })
    log.info({ size: String(head.frontier.size), epoch: String(head.epoch) }, 'the log is open')
    return { reader, writer, cache, head, deciding: new Map() }
  }

  async function drop(): Promise<void> {
    const dropped = session
    session = null
    await Promise.allSettled([dropped?.reader.end(), dropped?.writer.end()])
  }

  /** The entries of the batch under way that turned out not to be written. */
  async function landed(): Promise<readonly Entry[]> {
    const returned = await committing
    committing = NOTHING
    return returned
  }

  /** The epoch bump in `open` waits for a commit nobody heard of; the leaf then tells what it did. */
  async function reopen(): Promise<readonly Entry[]> {
    session = await open()
    const batch = unresolved
    unresolved = null
    if (batch === null) return []
    if (batch.firstLeaf === null) return batch.entries
    const leaf = await findLeaf(session.writer, { ledger, seq: batch.from.frontier.size })
    return leaf?.equals(batch.firstLeaf) ? answerAll(batch) : batch.entries
  }

  async function decide(entries: readonly Entry[], { cache, reader, head }: Session) {
    const [settled] = await Promise.all([
      loadSettled(reader, { ledger, entries }),
      loadNeeds(reader, { ledger, entries, cache, model }),
    ])
    return decideBatch({ entries, settled, head, cache, model, nowMs: clock.now() })
  }

  async function commit(batch: Batch, { writer }: Session): Promise<readonly Entry[]> {
    if (isEmpty(batch)) return answerAll(batch)
    try {
      const { rows } = await writer.query<{ fenced: number }>({
        name: statement.name,
        text: statement.text,
        values: statement.values(moveOf(batch), batch.rows),
      })
      if (rows[0]?.fenced === 1) return answerAll(batch)
      log.warn({ size: String(batch.from.frontier.size) }, 'another writer holds the fence')
      await drop()
      return batch.entries
    } catch (error) {
      await drop()
      return failed(batch, error)
    }
  }

  function failed(batch: Batch, error: unknown): readonly Entry[] {
    const code = (error as { code?: string }).code ?? ''
    log.error({ err: error, entries: batch.entries.length }, 'a batch was not committed')
    if (!BAD_DATA.test(code)) {
      unresolved = batch
      return []
    }
    const [only, ...others] = batch.entries
    if (only !== undefined && others.length === 0) {
      only.answer(poisoned(only))
      return []
    }
    togetherMax = Math.ceil(batch.entries.length / 2)
    return batch.entries
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
    await drop()
    if (!(error instanceof PoisonedBatch)) return [...returned, ...entries]
    error.culprit.answer(poisoned(error.culprit))
    return [...returned, ...entries.filter((entry) => entry !== error.culprit)]
  }

  async function write(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const together = togetherMax === null ? entries : entries.slice(0, togetherMax)
    const later = entries.slice(together.length)
    const returned = await writeTogether(together).catch((error) => startAgain(together, error))
    if (togetherMax === null) return [...returned, ...later]

    const fallen = await landed()
    if (fallen.length === 0 && later.length === 0) togetherMax = null
    return [...returned, ...fallen, ...later]
  }

  return {
    write,
    isReady: () => session !== null,
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
