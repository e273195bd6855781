import { useQuery } from '@tanstack/react-query'

import { formatMoney, toMinor } from '../../money/money.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { coverageQueries } from '../reserve/coverage-query.ts'
import { UtcMoment } from './why-us.tsx'

type Coverage = NonNullable<ReturnType<typeof useCoverage>['data']>

function useCoverage() {
  return useQuery(coverageQueries.now())
}

/** The books as they are now: what is promised, and how much of it is set aside. */
export function CoveragePicture() {
  const { data: coverage, isError, refetch, isFetching } = useCoverage()
  return (
    <figure className="min-h-96 rounded-card border border-line bg-surface p-5 sm:p-8">
      <figcaption className="text-14 text-muted">
        Reserve coverage of the profit promised on running plans
      </figcaption>
      {coverage !== undefined ? (
        <Picture coverage={coverage} />
      ) : isError ? (
        <div className="grid min-h-72 content-center">
          <FailedState
            message="The coverage could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        </div>
      ) : (
        <Skeleton className="mt-4 h-72 w-full rounded-card" />
      )}
    </figure>
  )
}

function Picture({ coverage }: { coverage: Coverage }) {
  const { percentage, committed, reserve, shortfall, liabilities, cash, asOf } = coverage
  return (
    <div className="grid gap-5 pt-2">
      <p className="tabular font-semibold text-40 tracking-tight">{percentage}%</p>
      <Cairn percentage={percentage} />
      <dl className="grid gap-2 text-14">
        <Line name="Promised, not yet credited" amount={committed} />
        {shortfall > 0 ? (
          <Line name="Promised with nobody’s money behind it" amount={shortfall} />
        ) : (
          <Line name="Free reserve beyond that" amount={reserve} />
        )}
        <Line name="All that investors could claim" amount={liabilities} />
        <Line name="In the operator’s accounts, by the books" amount={cash} />
      </dl>
      <p className="border-line border-t pt-4 text-12 text-muted">
        From the books, <UtcMoment at={asOf} />. They prove what was set aside; they do not prove
        what a bank holds, and they do not cover your principal.
      </p>
    </div>
  )
}

/** Three stones, filled from the ground up as far as the promises are covered. */
function Cairn({ percentage }: { percentage: number }) {
  const width = `${Math.min(100, percentage)}%`
  return (
    <div aria-hidden="true" className="grid justify-items-center gap-1.5">
      {[
        { size: 'w-1/4 rotate-2', tone: 'bg-[var(--stone-3)]' },
        { size: 'w-2/4 -rotate-1', tone: 'bg-[var(--stone-2)]' },
        { size: 'w-3/4', tone: 'bg-[var(--stone-1)]' },
      ].map(({ size, tone }) => (
        <span key={size} className={`h-9 overflow-hidden rounded-full bg-line ${size}`}>
          <span className={`block h-full ${tone}`} style={{ width }} />
        </span>
      ))}
    </div>
  )
}

function Line({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="flex justify-between gap-4 border-line border-t pt-2">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular">{formatMoney(toMinor(amount))}</dd>
    </div>
  )
}
