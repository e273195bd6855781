import { useQuery } from '@tanstack/react-query'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { settingsQueries } from '../settings/index.ts'
import { describeCoverageAfter } from './coverage-after.ts'
import { reserveQueries } from './queries.ts'

type Withdrawal = {
  /** Null for the first ledger of the site. */
  ledger: number | null
  amountMinor: Minor
}

/**
 * Says what the public pages will disclose if the amount leaves the reserve. The sentence is null
 * for an amount that the ledger refuses.
 */
export function useCoverageAfter({ ledger, amountMinor }: Withdrawal): {
  isPending: boolean
  sentence: string | null
} {
  const ledgers = useQuery(settingsQueries.readPublic()).data?.ledgers ?? []
  // Without a ledger, the API sums up all ledgers of a site.
  const isOneOfSeveral = ledgers.length > 1
  const first = isOneOfSeveral ? (ledgers[0] ?? null) : null
  const { data: reserve, isPending } = useQuery(reserveQueries.readReserve(ledger ?? first))
  if (isPending) return { isPending, sentence: null }
  if (reserve === undefined) {
    return { isPending, sentence: 'The coverage after this withdrawal could not be computed.' }
  }
  if (amountMinor > toMinor(reserve.reserve)) return { isPending, sentence: null }
  return { isPending, sentence: describeCoverageAfter(reserve, amountMinor, { isOneOfSeveral }) }
}

export function CoverageAfter(withdrawal: Withdrawal) {
  const { sentence } = useCoverageAfter(withdrawal)
  return sentence === null ? null : ` ${sentence}`
}
