import type { RefusalCode } from '@cairn/ledger-contracts'
import type { Head } from './batch.ts'
import type { HeadMove } from './statement.ts'
import type { BatchRows, Table } from './table.ts'

/**
 * What the committer needs of a database. Whatever goes wrong throws, and then nobody knows what
 * became of an `append` that was under way; only `RefusedData` says that nothing was written.
 */
export interface Store {
  open(): Promise<StoreSession>
}

/** One connection's life. Reads may be asked for together and while an append is under way. */
export interface StoreSession {
  /** Takes the fence, after any append that is still running: what it returns is final. */
  takeHead(nowMs: number): Promise<Head>
  loadRows(table: Table, keys: readonly string[]): Promise<readonly object[]>
  loadAll(table: Table): Promise<readonly object[]>
  loadSettled(idempotencyHashes: readonly Buffer[]): Promise<SettledRows>
  /** Of everything that was committed before it is asked: idempotency hashes, many to a buffer. */
  usedKeys(): AsyncIterable<Buffer>
  /** As `usedKeys`, the keys of a table's rows. */
  rowKeys(table: Table): AsyncIterable<readonly string[]>
  /** Makes ready what an `append` of these very rows sends: nobody need wait for that then. */
  prepare(rows: BatchRows): void
  /** All or nothing. `fenced`: another writer has moved or taken the head, nothing was written. */
  append(move: HeadMove, rows: BatchRows): Promise<'written' | 'fenced'>
  /** Whether this is the head still: nobody else has taken it, nothing else was written. */
  holdsHead(head: Head): Promise<boolean>
  findLeaf(seq: bigint): Promise<Buffer | null>
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
  }[]
}

/** A value that the database does not take: nothing was written, and trying again is futile. */
export class RefusedData extends Error {
  override readonly name = 'RefusedData'
}
