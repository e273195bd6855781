import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Database } from './database/database.ts'
import type { ImageQueue } from './files/image-queue.ts'
import type { ObjectStore } from './files/object-store.ts'
import type { SharedRateLimiter } from './http/shared-rate-limit.ts'
import type { WorkerClient } from './jobs/worker-client.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Seal } from './keys/seal.ts'
import type { SiteLedgers } from './ledger-client/site-ledgers.ts'
import type { Live } from './live/live.ts'
import type { Settings } from './settings-store/site-settings.ts'

/** The services that features use. Each process creates them once, at its start. */
export interface Dependencies {
  db: Database
  /** The client of the site. It sends each call to the ledger that has its subject. */
  ledger: LedgerClient
  /** The ledgers of the site, for calls that concern one of them. */
  ledgers: SiteLedgers
  /** Connects to a ledger by its number, also to one that the site does not have yet. */
  connectLedger(ledger: number): LedgerClient
  clock: Clock
  settings: Settings
  live: Live
  /** The object store; null if files are stored in the database. */
  objects: ObjectStore | null
  /** A process must have only one queue, because the queue limits the memory for decoded images. */
  images: ImageQueue
  seal: Seal
  /**
   * The keys that sign anti-forgery tokens, device cookies and mailed codes, and that seal referral
   * cursors.
   */
  sessionKeys: KeyRing
  /** Seals the secrets of authenticator apps. */
  factorKeys: KeyRing
  publicUrl: string
  isDemo: boolean
  mailUiUrl: string | null
  /** The folder with the outcomes of the last backup and drill; null if no folder is configured. */
  backupDir: string | null
  rateLimitScale: number
  sharedRates: SharedRateLimiter
  /** The clients of the ledger worker and the gateway worker. */
  workers: readonly WorkerClient[]
}
