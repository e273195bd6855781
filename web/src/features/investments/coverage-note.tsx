import { useQuery } from '@tanstack/react-query'

import { toMinor } from '../../shared/money/money.ts'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { coverageQueries } from '../reserve/index.ts'

/** Shows the current coverage before the user invests. */
export function CoverageNote() {
  const { data: coverage, isError } = useQuery(coverageQueries.now())
  if (coverage === undefined) {
    return isError ? null : <Skeleton className="h-15 w-full max-sm:h-20" />
  }
  return (
    <p className="min-h-15 text-14 text-muted max-sm:min-h-20">
      Of <InlineMoney minor={toMinor(coverage.committed)} /> promised on running investments,{' '}
      <strong className="font-semibold text-ink">{coverage.percentage}%</strong> is covered by the
      operator’s reserve in the ledger now. The reserve is not kept apart.
      {coverage.shortfall > 0 && (
        <>
          {' '}
          <InlineMoney minor={toMinor(coverage.shortfall)} /> is not covered by the operator’s
          money.
        </>
      )}
    </p>
  )
}
