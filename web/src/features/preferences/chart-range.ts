import { useQuery } from '@tanstack/react-query'

import type { Range } from '../../shared/dates/chart-ranges.ts'
import { preferenceQueries, useSavePreferences } from './queries.ts'

const UNTIL_KNOWN = '3M'

/**
 * How far back charts reach: as far as was last chosen, kept with the account so that every browser opens on
 * it, or as the preferences say. Null while it is not known.
 */
export function useChartRange(): [Range | null, (range: Range) => void] {
  const { data, isError } = useQuery(preferenceQueries.mine())
  const save = useSavePreferences()
  const asked = save.variables?.chartRange
  const kept = data?.defaultRange ?? data?.chartRange ?? (isError ? UNTIL_KNOWN : null)
  // A refused save changes nothing, so the choice of this visit holds until it has failed.
  const range = save.isError ? kept : (asked ?? kept)
  return [range, (chartRange) => save.mutate({ chartRange })]
}
