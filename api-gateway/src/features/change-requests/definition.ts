import type { ChangeKind, ChangeLine, Permission } from '@cairn/gateway-contracts'
import type { z } from 'zod'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'

/** The change that is carried out, with the people who agreed on it. */
export interface Execution<Payload> {
  /** The transaction that also records the result, so that its rows are written exactly once. */
  trx: DatabaseTransaction
  payload: Payload
  requestId: string
  /** The idempotency key of a command: each attempt uses the same one. */
  key: string
  createdBy: string
  createdAtMs: number
  approvedBy: string
  approvedAtMs: number
  nowMs: number
}

/**
 * A kind of change that needs two people. The methods receive a payload that the core has parsed
 * with the schema.
 */
export interface ChangeDefinition<Payload = unknown> {
  kind: ChangeKind
  payload: z.ZodType<Payload>
  permission: { propose: Permission; approve: Permission }
  /** `always` if two people must agree even when dual control is not required. */
  isNeeded: 'with-dual-control' | 'always'
  /** The id of the object. Only one change request for it can be open. */
  targetOf(payload: Payload): string
  titleOf(payload: Payload): string
  /** The page that shows the object. */
  linkOf(payload: Payload): string
  /** The persons whose role, factor, wallet or account changes. */
  beneficiariesOf(payload: Payload): readonly string[] | Promise<readonly string[]>
  /**
   * The state that the change replaces, as JSON. In a transaction it locks the rows that it reads.
   */
  readBefore(db: Database, payload: Payload): Promise<unknown>
  /** The values that the checker compares. */
  present(payload: Payload, before: unknown): Promise<readonly ChangeLine[]>
  /** The ids of the uploaded files that the checker compares. */
  filesOf?(payload: Payload, before: unknown): { before: string | null; after: string | null }
  /** Makes the change. An HttpFailure below 500 is final; any other error is tried again. */
  execute(change: Execution<Payload>): Promise<void>
  /** Runs after the change is committed, for caches of this process and other parts. A failure is repaired by a job. */
  settle?(payload: Payload): Promise<void> | void
}

/** All kinds: a kind without a definition does not compile. */
export type ChangeRegistry = Readonly<Record<ChangeKind, ChangeDefinition>>
