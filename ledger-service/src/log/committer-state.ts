import type { Batch, OpenBatch } from './batch.ts'
import type { Head } from './head.ts'
import type { StoreSession } from './store.ts'
import type { Cache, Changes } from './view.ts'

/** The state of a writer that has taken over the log. */
export interface Session {
  store: StoreSession
  cache: Cache
  /** The head after the last batch that was sent, committed or not. */
  head: Head
  /** The changes of the last batch that was sent. The cache must not evict them before the commit. */
  sent: Changes
}

/** The facts about an interrupted session that the next session needs. */
interface Interrupted {
  /**
   * The batch whose commit the database did not answer. The next session determines whether the
   * batch was written.
   */
  unresolved: Batch | null
  /**
   * True if the database was not available or another writer has taken over the log. An immediate
   * retry would then disturb the active writer.
   */
  isPauseDue: boolean
}

/** There is no connection, or the old connection is being closed. */
export interface Disconnected extends Interrupted {
  name: 'disconnected'
  closed: Promise<unknown>
}

/**
 * There is a connection, but this writer has not taken over the log. Cached rows were discarded,
 * because they may be stale.
 */
export interface Connected extends Interrupted {
  name: 'connected'
  store: StoreSession
}

/** This writer has taken over the log, and no batch is in progress. */
export interface Idle {
  name: 'idle'
  session: Session
}

/**
 * At most two batches are in progress: one batch commits while the next batch is open and grows.
 */
export interface Committing {
  name: 'committing'
  session: Session
  batch: Batch
  next: OpenBatch | null
  ended: Promise<void>
}

/**
 * States change in this order: disconnected, connected, idle, committing, idle. A rejected value or
 * a lost fence leads back to connected. Any other error leads back to disconnected.
 */
export type State = Disconnected | Connected | Idle | Committing

export function isInterrupted(state: State): state is Disconnected | Connected {
  return state.name === 'disconnected' || state.name === 'connected'
}

export function getProgress(state: State): { session: Session | null; next: OpenBatch | null } {
  if (isInterrupted(state)) return { session: null, next: null }
  return { session: state.session, next: state.name === 'committing' ? state.next : null }
}

export function countCommittingCommands(state: State): number {
  return state.name === 'committing' ? state.batch.size : 0
}

export function getStore(state: Connected | Idle | Committing): StoreSession {
  return state.name === 'connected' ? state.store : state.session.store
}
