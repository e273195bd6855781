/**
 * Each ledger of a site numbers its events from 0. So that no two events of a site have the same
 * number, the site adds this many numbers for each ledger before a further ledger. The first ledger
 * keeps its numbers, so event 123 of ledger 2 is event 2000000000123 of the site.
 */
export const NUMBERS_PER_LEDGER = 1_000_000_000_000n

/**
 * Splits the number of an event in the site into its ledger and its number in that ledger. `ledger`
 * is null for the first ledger.
 */
export function splitEventNumber(digits: string): { ledger: number | null; seq: string } {
  const number = BigInt(digits)
  const ledger = number / NUMBERS_PER_LEDGER
  return {
    ledger: ledger < 1n ? null : Number(ledger),
    seq: String(number % NUMBERS_PER_LEDGER),
  }
}
