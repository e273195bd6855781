import { computePercentage } from '@cairn/gateway-contracts/coverage-rule'
import type { ListedLedger } from '../../platform/ledger-client/requested-ledger.ts'
import { type BookCoverage, computeCoverage } from './coverage.ts'

/** The coverage of one ledger. */
export interface LedgerBook {
  ledger: number
  /** The number of events just before the amounts were read; 0 if only one ledger is listed. */
  size: bigint
  coverage: BookCoverage
}

/**
 * Reads the books of the ledgers. Throws if one of them does not answer, because the sums without it
 * would be too small.
 */
export function readBooks(listed: readonly ListedLedger[]): Promise<readonly LedgerBook[]> {
  return Promise.all(
    listed.map(async ({ ledger, client }) => {
      // Only the books of several ledgers name their sizes.
      const { size } = listed.length === 1 ? { size: 0n } : await client.ask('head', { size: null })
      const { totals } = await client.ask('totals', {})
      return { ledger, size, coverage: computeCoverage(new Map(Object.entries(totals.byKind))) }
    }),
  )
}

/**
 * Adds up the coverage of several ledgers. What a ledger lacks is not covered by the money of
 * another one, because money cannot leave its ledger.
 */
export function joinCoverages(books: readonly BookCoverage[]): BookCoverage {
  const sum = (pick: (book: BookCoverage) => bigint) =>
    books.reduce((total, book) => total + pick(book), 0n)
  const committedMinor = sum((book) => book.committedMinor)
  const coveredMinor = sum(({ committedMinor: promised, shortfallMinor }) =>
    shortfallMinor < promised ? promised - shortfallMinor : 0n,
  )
  return {
    reserveMinor: sum((book) => book.reserveMinor),
    committedMinor,
    shortfallMinor: sum((book) => book.shortfallMinor),
    liabilitiesMinor: sum((book) => book.liabilitiesMinor),
    feesMinor: sum((book) => book.feesMinor),
    incomeMinor: sum((book) => book.incomeMinor),
    marketingMinor: sum((book) => book.marketingMinor),
    adjustmentsMinor: sum((book) => book.adjustmentsMinor),
    openingMinor: sum((book) => book.openingMinor),
    cashMinor: sum((book) => book.cashMinor),
    percentage: computePercentage({ committedMinor, coveredMinor }),
  }
}
