import { useQuery } from '@tanstack/react-query'

import { toMinor } from '../../shared/money/money.ts'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { coverageQueries } from '../reserve/index.ts'

/** Shows the current coverage before the user invests. */
export function CoverageNote() {
  const coverage = useQuery(coverageQueries.now()).data
  if (coverage === undefined) return null
  return (
    <p className="text-14 text-muted">
      Of <InlineMoney minor={toMinor(coverage.committed)} /> promised on running investments,{' '}
      <strong className="font-semibold text-ink">{coverage.percentage}%</strong> is set aside in the
      operator’s reserve now.
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
