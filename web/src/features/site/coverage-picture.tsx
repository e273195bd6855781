import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { formatMoney, type Minor, toMinor } from '../../shared/money/money.ts'
import { cx } from '../../shared/ui/cx.ts'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'
import { coverageQueries } from '../reserve/index.ts'
import { listCoverageLines } from './coverage-lines.ts'

type Coverage = NonNullable<ReturnType<typeof useCoverage>['data']>

function useCoverage() {
  return useQuery(coverageQueries.now())
}

/** Shows the current committed profit and its coverage. */
export function CoveragePicture() {
  const { data, isError, refetch, isFetching } = useCoverage()
  const coverage = useDeferredValue(data)
  return (
    // The minimum height prevents the figures from moving the content below when they load.
    <figure className="min-h-172 rounded-card border border-line bg-surface p-5 sm:min-h-160 sm:p-8">
      <figcaption className="text-14 text-muted">
        Reserve coverage of the profit promised on running plans
      </figcaption>
      {coverage !== undefined ? (
        <Picture coverage={coverage} />
      ) : isError ? (
        <div className="grid min-h-136 content-center">
          <FailedState
            message="The coverage could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        </div>
      ) : (
        <Skeleton className="mt-4 h-136 w-full rounded-card" />
      )}
    </figure>
  )
}

function Picture({ coverage }: { coverage: Coverage }) {
  const { percentage, shortfall, cash, asOf } = coverage
  return (
    <div className="grid gap-5 pt-2">
      <p className="tabular font-semibold text-40 tracking-tight">{percentage}%</p>
      <CoverageStones percentage={percentage} />
      <dl className="grid gap-1.5 text-14">
        {listCoverageLines(coverage).map(({ name, minor }) => (
          <Line key={name} name={name} minor={minor} />
        ))}
        <Line
          name="In the operator’s accounts, according to the ledger"
          minor={toMinor(cash)}
          isTotal
        />
      </dl>
      {shortfall > 0 && (
        <p className="text-14 text-pending">
          Of the promised profit, {formatMoney(toMinor(shortfall))} is not set aside.
        </p>
      )}
      <p className="border-line border-t pt-4 text-12 text-muted">
        From the ledger, <UtcMoment at={asOf} />. It shows what was set aside. It does not prove
        what a bank account holds, and it does not cover your principal.
      </p>
    </div>
  )
}

/** Draws three stones. The coloured part of their width is the coverage in percent. */
function CoverageStones({ percentage }: { percentage: number }) {
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

function Line({ name, minor, isTotal = false }: { name: string; minor: Minor; isTotal?: boolean }) {
  return (
    <div
      className={cx(
        'flex justify-between gap-4 border-t pt-1.5',
        isTotal ? 'border-line-strong font-semibold' : 'border-line',
      )}
    >
      <dt className={isTotal ? undefined : 'text-muted'}>{name}</dt>
      <dd className="tabular">{formatMoney(minor)}</dd>
    </div>
  )
}
