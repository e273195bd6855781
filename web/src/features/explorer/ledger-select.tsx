import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { useQuery } from '@tanstack/react-query'
import { Select } from '../../shared/ui/inputs.tsx'
import { parseLedger } from '../../shared/url/ledger-of-url.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { settingsQueries } from '../settings/index.ts'

/** Returns the ledger in the URL; null if it names none. */
export function useChosenLedger(): number | null {
  const [search] = useSearchParams()
  return parseLedger(search.get('ledger'))
}

/**
 * Chooses the ledger that the page shows. The URL stores the choice. A site with one ledger shows no
 * choice.
 */
export function LedgerSelect({
  all,
  newest,
}: {
  /** The name of the choice of all ledgers. Without it, the first ledger is shown by default. */
  all?: string
  /** The number of an event on the page. Its ledger is shown if the URL has none. */
  newest?: string | undefined
}) {
  const chosen = useChosenLedger()
  const url = useUrlState()
  const { data: settings } = useQuery(settingsQueries.readPublic())
  const [first, ...further] = settings?.ledgers ?? []
  if (first === undefined || further.length === 0) return null
  const named = all === undefined ? further : [first, ...further]
  const shown = chosen ?? (newest === undefined ? null : splitEventNumber(newest).ledger)
  return (
    <Select
      aria-label="Ledger"
      className="min-w-32"
      value={shown ?? ''}
      onChange={(event) => url.set({ ledger: event.target.value })}
    >
      <option value="">{all ?? `Ledger ${first}`}</option>
      {named.map((ledger) => (
        <option key={ledger} value={ledger}>
          Ledger {ledger}
        </option>
      ))}
    </Select>
  )
}
