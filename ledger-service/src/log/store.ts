import type { RefusalCode } from '@cairn/ledger-contracts'
import type { Head } from './head.ts'
import type { HeadMove } from './statement.ts'
import type { BatchRows, Table } from './table.ts'

/**
 * The database operations that the committer needs. If `append` throws `RefusedData` or `BrokenLog`,
 * nothing was written. After any other error of `append`, the outcome is unknown.
 */
export interface Store {
  open(): Promise<StoreSession>
}

/**
 * The outcome of a batch. In all cases but `written`, nothing was written. `fenced`: another writer
 * has taken over the log. `clock`: the time of the batch is ahead of the clock of the database.
 * `conflict`: an idempotency key or a new row of the batch exists already.
 */
export type Written = 'written' | 'fenced' | 'clock' | 'conflict'

/** A session with the database. Rows may be read while an append is running. */
export interface StoreSession {
  /**
   * Takes over the log, after any append that is still running has ended. The returned head is
   * final. Throws `OutdatedModel` if a newer version of the rules is in force.
   */
  takeHead(nowMs: number): Promise<Head>
  loadRows(table: Table, keys: readonly string[]): Promise<readonly object[]>
  loadAll(table: Table): Promise<readonly object[]>
  loadSettled(idempotencyHashes: readonly Buffer[]): Promise<SettledRows>
  /** Encodes the rows in advance. A following `append` of this map then needs less time. */
  prepare(rows: BatchRows): void
  /** Writes all rows or none. */
  append(move: HeadMove, rows: BatchRows): Promise<Written>
  /**
   * True if, since this writer took over the log, no other writer has taken over the log or
   * appended events.
   */
  holdsHead(head: Head): Promise<boolean>
  findLeaf(seq: bigint): Promise<Buffer | null>
  /** Waits until all visible commits are durable. Throws if their durability is not certain. */
  confirm(): Promise<void>
  close(): Promise<void>
}

export interface SettledRows {
  events: readonly { idempotencyHash: Buffer; requestHash: Buffer; bytes: Buffer }[]
  refusals: readonly {
    idempotencyHash: Buffer
    requestHash: Buffer
    code: RefusalCode
    message: string
    details: Record<string, string>
    place: bigint
    bytes: Buffer
  }[]
}

/**
 * Thrown if the database rejected a value, or if a check before the append failed. Nothing was
 * written, and a retry would fail again.
 */
export class RefusedData extends Error {
  override readonly name = 'RefusedData'
}

/** Returns a function that wraps each session of a store. `change` replaces some methods. */
export function wrapSessions(change: (session: StoreSession) => StoreSession) {
  return (store: Store): Store => ({ open: async () => change(await store.open()) })
}
