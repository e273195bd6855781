import { useQuery } from '@tanstack/react-query'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { describeCoverageAfter } from './coverage-after.ts'
import { reserveQueries } from './queries.ts'

/**
 * Says what the public pages will disclose if the amount leaves the reserve. Shows nothing while the
 * reserve of the ledger is not known, and for an amount that the ledger refuses.
 */
export function CoverageAfter({
  ledger,
  amountMinor,
}: {
  /** Null for the only ledger of a site. */
  ledger: number | null
  amountMinor: Minor
}) {
  const { data: reserve } = useQuery(reserveQueries.readReserve(ledger))
  // The sums over several ledgers say nothing about one of them.
  if (reserve === undefined || (ledger === null && reserve.ledgers !== undefined)) return null
  if (amountMinor > toMinor(reserve.reserve)) return null
  return ` ${describeCoverageAfter(reserve, amountMinor)}`
}
