import { formatCount } from '@cairn/gateway-contracts/counted'

type Count = { shown: number; isComplete: boolean; isFiltered: boolean; size: string }

/**
 * Says how many events the filter has found and how many the ledger has. The server searches in
 * parts, so the number of results is complete only after the last part.
 */
export function describeCount({ shown, isComplete, isFiltered, size }: Count): string {
  const all = formatCount(size)
  if (!isFiltered) return `${all} in the ledger, numbered from 0`
  return `${formatCount(shown)} found${isComplete ? '' : ' so far'}, ${all} in the ledger`
}
