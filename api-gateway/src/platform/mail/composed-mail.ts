import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Database } from '../database/database.ts'
import type { Seal } from '../keys/seal.ts'
import type { SiteLedgers } from '../ledger-client/site-ledgers.ts'
import type { Settings } from '../settings-store/site-settings.ts'
import type { MailName } from './mail-kinds.ts'
import type { Values } from './markup.ts'

export interface ComposeDependencies {
  db: Database
  ledger: LedgerClient
  /** Required for mails about months of further ledgers. */
  ledgers?: SiteLedgers | undefined
  clock: Clock
  seal: Seal
  settings: Settings
}

export interface Attachment {
  filename: string
  content: string | Buffer
  contentType: string
}

/** A mail to send, with its recipients and the values of its placeholders. */
export interface ComposedMail {
  kind: MailName
  /** The recipients. If there are several addresses, all of them are in one mail. */
  to: { name: string; address: string | readonly string[] }
  /**
   * The user whose preferences decide whether the mail is sent; null if the mail is always sent.
   */
  userId: string | null
  values: Values
  attachments: readonly Attachment[]
  isTest: boolean
}
