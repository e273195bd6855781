import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { ObjectStore } from './files/object-store.ts'
import type { WorkerClient } from './jobs/worker-client.ts'
import type { Live } from './live/live.ts'
import type { OutboxSeal } from './mail/outbox-seal.ts'
import type { Settings } from './settings-store/site-settings.ts'

/** What the features work with; made once, where the process starts. */
export interface Dependencies {
  db: Database
  ledger: LedgerClient
  clock: Clock
  settings: Settings
  live: Live
  /** Null: files are kept in the database. */
  objects: ObjectStore | null
  seal: OutboxSeal
  sessionSecret: string
  publicUrl: string
  isDemo: boolean
  mailUiUrl: string | null
  rateLimitScale: number
  /** Those who do the work behind the requests, of the ledger and of the gateway. */
  workers: readonly WorkerClient[]
}
