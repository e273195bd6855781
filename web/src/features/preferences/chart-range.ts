import { useQuery } from '@tanstack/react-query'

import type { Range } from '../../shared/dates/chart-ranges.ts'
import { preferenceQueries, useSavePreferences } from './queries.ts'

const UNTIL_KNOWN = '3M'

/**
 * Returns the chart range and the function that changes it. The range is null until it has loaded.
 * The account stores the range.
 */
export function useChartRange(): [Range | null, (range: Range) => void] {
  const { data, isError } = useQuery(preferenceQueries.readOwnPreferences())
  const save = useSavePreferences()
  const asked = save.variables?.chartRange
  const kept = data?.defaultRange ?? data?.chartRange ?? (isError ? UNTIL_KNOWN : null)
  // If the save fails, the stored range applies again.
  const range = save.isError ? kept : (asked ?? kept)
  return [range, (chartRange) => save.mutate({ chartRange })]
}
