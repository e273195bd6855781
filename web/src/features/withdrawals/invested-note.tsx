import { useQuery } from '@tanstack/react-query'
import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { findNextReturn, investmentQueries, useOwnStats } from '../investments/index.ts'

/**
 * States the amount that is invested, which cannot be withdrawn, and the principal that is due
 * next. Shows nothing if nothing is invested, and while the amounts load.
 */
export function InvestedNote() {
  const running = useQuery(investmentQueries.refreshOwnInvestments())
  const stats = useOwnStats().data
  const invested = toMinor(stats?.invested ?? 0)
  const next = findNextReturn(running.data?.investments ?? [])
  if (invested === 0n) return null
  return (
    <>
      <InlineMoney minor={invested} /> is invested.
      {next !== null && (
        <>
          {' '}
          The next principal, <InlineMoney minor={next.amountMinor} />, is due on{' '}
          <DateText at={next.dueAt} format="day" />.
        </>
      )}
    </>
  )
}
