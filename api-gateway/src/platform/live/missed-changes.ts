import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'

/**
 * A new stream repeats the changes of the last `OPENING_MS` milliseconds, because the page may have
 * loaded its data before these changes.
 */
const OPENING_MS = 10_000
/**
 * If a page has missed more events than this number, the page loads all data again. This number
 * limits the events that a reconnect reads from the ledger.
 */
export const REPLAY_EVENTS_MAX = 200
const OPENING_EVENTS_MAX = 100n

/** What a page has missed of one ledger. `covered` is the newest event that this includes. */
interface MissedChanges {
  covered: bigint
  /** True if the page must load all data again. */
  isReload: boolean
  events: readonly RecordedEvent[]
}

/** Reads what a page has missed since the event `after`; null if the page names no event. */
export async function readMissedChanges(
  ledger: LedgerClient,
  { after, nowMs, signal }: { after: bigint | null; nowMs: number; signal: AbortSignal },
): Promise<MissedChanges> {
  const head = await readHead(ledger)
  const from = after ?? head - OPENING_EVENTS_MAX
  if (from === head) return { covered: head, isReload: false, events: [] }
  // After the restore of a backup, the client can have an id of the lost part of the log. Such an
  // id can be above the number of the newest event.
  if (from > head || head - from > BigInt(REPLAY_EVENTS_MAX)) {
    return { covered: head, isReload: true, events: [] }
  }
  const sinceMs = after === null ? nowMs - OPENING_MS : 0
  const page = { after: from, waitSeconds: 0, limit: REPLAY_EVENTS_MAX, signal }
  const { events } = await ledger.events(page)
  const missed = events.filter(({ recordedAt }) => Date.parse(recordedAt) >= sinceMs)
  if (after === null && BigInt(missed.length) >= OPENING_EVENTS_MAX) {
    return { covered: head, isReload: true, events: [] }
  }
  return { covered: events.at(-1)?.seq ?? head, isReload: false, events: missed }
}

/** Returns the number of the newest event of the ledger. */
export async function readHead(ledger: LedgerClient): Promise<bigint> {
  const { size } = await ledger.ask('head', { size: null })
  return size - 1n
}
