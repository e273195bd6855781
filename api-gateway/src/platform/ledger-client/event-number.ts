import type { EventsResponse } from '@cairn/ledger-contracts'

/**
 * Each ledger of a site numbers its events from 0. So that no two events of a site have the same
 * number, the site adds this many numbers for each ledger before a further ledger. The first ledger
 * keeps its numbers, so event 123 of ledger 2 is event 2000000000123 of the site.
 */
const NUMBERS_PER_LEDGER = 1_000_000_000_000n

/** Returns the number of an event in the site. `further` is null for the first ledger. */
export function toSiteNumber(seq: bigint, further: number | null): bigint {
  return further === null ? seq : BigInt(further) * NUMBERS_PER_LEDGER + seq
}

/** Returns the page with the numbers that its events have in the site. */
export function toSiteNumbers(page: EventsResponse, further: number | null): EventsResponse {
  if (further === null) return page
  const { traceparents = {} } = page
  return {
    ...page,
    events: page.events.map((event) => ({ ...event, seq: toSiteNumber(event.seq, further) })),
    traceparents: Object.fromEntries(
      Object.entries(traceparents).map(([seq, traceparent]) => [
        String(toSiteNumber(BigInt(seq), further)),
        traceparent,
      ]),
    ),
  }
}

/** Returns the further ledger that recorded the event; null if the first ledger recorded it. */
export function findLedgerOfEvent(siteNumber: bigint): number | null {
  const further = siteNumber / NUMBERS_PER_LEDGER
  return further < 1n ? null : Number(further)
}
