import type { RecordedEvent } from '@cairn/ledger-contracts'

/**
 * The longest time, in milliseconds, between the effective time of an event and its recording. An
 * event that is recorded later is history: it causes no mail and no notification.
 */
const NEWS_MS = 3_600_000
/**
 * The same for an investment that the platform itself ends. After an outage, the ledger dates its
 * end back to the day on which it was due.
 */
const LATE_END_MS = 7 * 24 * NEWS_MS

/** Returns true if the event is news, false if it is imported history. */
export function isNews(
  event: Pick<RecordedEvent, 'type' | 'actor' | 'recordedAt' | 'effectiveAt'>,
): boolean {
  const lateMs = Date.parse(event.recordedAt) - Date.parse(event.effectiveAt)
  return lateMs < (isEndedByPlatform(event) ? LATE_END_MS : NEWS_MS)
}

/**
 * Profit is credited by the worker, or when its investor refreshes the page. History has other
 * actors, such as that of the demo.
 */
function isEndedByPlatform({ type, actor }: Pick<RecordedEvent, 'type' | 'actor'>): boolean {
  return type === 'InvestmentMatured' && (actor === 'system:accruals' || actor.startsWith('user:'))
}

/**
 * Returns the time under which the news is listed. News that was recorded late belongs to the time of
 * its recording, so that it is not below older news that was read.
 */
export function getNewsTime({
  recordedAt,
  effectiveAt,
}: Pick<RecordedEvent, 'recordedAt' | 'effectiveAt'>): string {
  return Date.parse(recordedAt) - Date.parse(effectiveAt) < NEWS_MS ? effectiveAt : recordedAt
}
