import type { Answer, Command } from '@cairn/ledger-contracts'

/** A queued command with the hashes that are computed before it enters the queue. */
export interface Entry {
  command: Command
  requestHash: Buffer
  idempotencyHash: Buffer | null
  queuedAtMs: number
  bytes: number
  answer(answer: Answer): void
  /** Called instead of `answer` if the outcome is not known. */
  lose(error: unknown): void
}

/** The stored answer to an earlier command with the same idempotency key. */
export interface Settled {
  requestHash: Buffer
  answer: Answer
}
