import type { ChangeKind, MaskedField, Permission } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { DescribedLine } from './change-lines.ts'

/** The arguments of a change that is carried out, including the people who approved it. */
export interface Execution<Payload> {
  /**
   * The transaction that also records the result, so that the change and the result are committed
   * together or not at all.
   */
  trx: DatabaseTransaction
  payload: Payload
  requestId: string
  /** The idempotency key of the command. All attempts to carry out the change use this key. */
  key: string
  createdBy: string
  createdAtMs: number
  approvedBy: string
  approvedAtMs: number
  nowMs: number
}

/**
 * Defines a kind of change that can need two people. Its methods receive a payload that the schema
 * has parsed.
 */
export interface ChangeDefinition<Payload = unknown> {
  kind: ChangeKind
  payload: z.ZodType<Payload>
  permission: { propose: Permission; approve: Permission }
  /** `always` if two people must approve the change even when dual control is not required. */
  isNeeded: 'with-dual-control' | 'always'
  /** Returns the id of the changed object. Only one open change request per object is allowed. */
  getTarget(payload: Payload): string
  /** The field of `MASKED_FIELDS` that is the target; missing if every role may see the target. */
  targetField?: MaskedField
  getTitle(payload: Payload): string
  /** Returns the path of the page that shows the object. */
  getLink(payload: Payload): string
  /** Returns the persons whose role, second factor, wallet or account changes. */
  listBeneficiaries(payload: Payload): readonly string[] | Promise<readonly string[]>
  /**
   * Returns the further ledger that records the change; its approvers approve it. If the method is
   * missing or returns null, the approvers of the first ledger do.
   */
  findFurther?(payload: Payload): LedgerClient | null
  /**
   * Returns true if the change sends a command to a ledger, which a rollback of the transaction
   * does not undo. If the method is missing, no change of this kind sends a command.
   */
  hasCommand?(payload: Payload): boolean
  /**
   * Returns the state that the change replaces, as JSON. If `db` is a transaction, locks the rows
   * that it reads.
   */
  readBefore(db: Database, payload: Payload): Promise<unknown>
  /**
   * Returns why an approved change cannot be carried out although the state that it replaces is the
   * same; null if nothing prevents it. Runs in the transaction that starts the change.
   */
  findObstacle?(trx: DatabaseTransaction, payload: Payload): Promise<string | null>
  /** Returns the values that the checker compares. */
  describeChange(payload: Payload, before: unknown): Promise<readonly DescribedLine[]>
  /** Returns the ids of the uploaded files that the checker compares. */
  getFiles?(payload: Payload, before: unknown): { before: string | null; after: string | null }
  /**
   * Makes the change. An `HttpFailure` with a status below 500 is final. After every error that is
   * not such a failure, a job tries again. Sends a command with `key`, so that a repetition has the
   * result of the first attempt.
   */
  execute(change: Execution<Payload>): Promise<void>
  /**
   * Runs after the change is committed, for example to update a cache. If it fails, a job repairs
   * the result.
   */
  finishChange?(payload: Payload): Promise<void> | void
}

/** The definitions of all kinds of change. The type does not compile if a kind is missing. */
export type ChangeRegistry = Readonly<Record<ChangeKind, ChangeDefinition>>
