import { NUMBERS_PER_LEDGER } from '@cairn/gateway-contracts'
import type { EventsResponse } from '@cairn/ledger-contracts'

/** Returns the number of an event in the site. `further` is null for the first ledger. */
export function toSiteNumber(seq: bigint, further: number | null): bigint {
  return further === null ? seq : BigInt(further) * NUMBERS_PER_LEDGER + seq
}

/** Returns the number above all numbers that events of the ledger can have in the site. */
export function getNumberLimit(further: number | null): bigint {
  return BigInt((further ?? 0) + 1) * NUMBERS_PER_LEDGER
}

/** Returns the number that an event has in its own ledger. */
export function toLedgerNumber(siteNumber: bigint): bigint {
  return siteNumber % NUMBERS_PER_LEDGER
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
