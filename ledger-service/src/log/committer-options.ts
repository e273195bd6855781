import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { NewestAnswered } from './answered.ts'
import type { Assumptions } from './assumptions.ts'
import type { Deposed } from './deposed.ts'
import type { Entry } from './entry.ts'
import type { Model } from './model.ts'
import type { Store } from './store.ts'
import type { Cache, CachedTables } from './view.ts'
import type { writeBatch } from './write-batch.ts'

export interface CommitterOptions {
  ledger: number
  store: Store
  model: Model
  clock: Clock
  log: Logger
  /**
   * Returns false if another instance was elected. This writer must then not take over the log
   * again. By default, a writer may always take over the log.
   */
  mayTakeHead?: () => Promise<boolean>
  /**
   * The newest event that any writer of this process has answered. By default, only the events of
   * this writer count.
   */
  answered?: NewestAnswered
  /** Replaces the function that writes a batch, for example by one that also measures it. */
  writeBatch?: typeof writeBatch
  /** Called after each commit that added events, with the new size of the log. */
  onAppended?: (size: bigint) => void
  /** The source of the salts. A simulation supplies a deterministic source. */
  random?: (bytes: number) => Buffer
  /** Creates the row cache. A simulation supplies a small cache. */
  createCache?: (tables: CachedTables) => Cache
  /**
   * Creates the assumptions about keys and rows. A simulation supplies assumptions with small
   * limits.
   */
  createAssumptions?: () => Assumptions
}

export interface Committer {
  /** The size of the open batch in commands, and its maximum when `waiting` commands are queued. */
  getBatch(waiting: number): { taken: number; max: number }
  /**
   * Loads the rows that the entries need, decides the entries and adds them to the open batch. This
   * batch is sent immediately if no commit is running, otherwise when the commit ends. Returns the
   * entries that were not decided. The caller must put these entries back at the front of the
   * queue.
   */
  decide(entries: readonly Entry[]): Promise<readonly Entry[]>
  /** Encodes the open batch in advance. Must be called only when no entries are queued. */
  prepare(): void
  /** The number of commands in the batch being committed, or 0. */
  countCommittingCommands(): number
  /**
   * True if no batch is open or committing, and no returned entries wait to be put back into the
   * queue.
   */
  isIdle(): boolean
  /** True if the outcome of a commit is unknown, because the database did not answer. */
  isUnresolved(): boolean
  isReady(): boolean
  /**
   * Returns the error after which only another writer may record commands, or null. After this
   * error, this writer decides no more commands.
   */
  getDeposingError(): Deposed | null
  /** True if the caller should pause before the next attempt. */
  shouldPause(): boolean
  /**
   * Closes the connections. If the outcome of an entry is still unknown, the caller of the entry
   * gets an error that says so.
   */
  close(): Promise<void>
}
