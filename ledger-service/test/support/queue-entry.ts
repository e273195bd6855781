import type { Command } from '@cairn/ledger-contracts'
import type { LinkedEntry, SingleEntry } from '../../src/log/entry.ts'

/** The fields of a queued entry that no test reads. */
const QUEUED = { isLookedUp: false, queuedAtMs: 0, bytes: 0, answer: () => {}, lose: () => {} }

/** Returns a queued command. Its hashes are the key and the content themselves. */
export function createEntry(key: string | null, content = 'a'): SingleEntry {
  return {
    ...QUEUED,
    command: { type: 'FundWallet', key } as Command,
    requestHash: Buffer.from(content),
    idempotencyHash: key === null ? null : Buffer.from(key),
    members: null,
  }
}

export function createLinkedEntry(members: LinkedEntry['members']): LinkedEntry {
  return { ...QUEUED, members, isDryRun: false, missed: [] }
}
