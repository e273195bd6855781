import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { formatMoney, type Minor, toMinor } from '../../shared/money/money.ts'
import { CASH_LOOKS, CashBar, COSTS_LOOK } from '../../shared/ui/cash-bar.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'
import { coverageQueries, groupCoverage, listCoverageLines } from '../reserve/index.ts'

type Coverage = NonNullable<ReturnType<typeof useCoverage>['data']>

function useCoverage() {
  return useQuery(coverageQueries.now())
}

/** Shows the current cash of the ledger, its parts, and the coverage of the promised profit. */
export function CoverageBar() {
  const { data, error, isError, refetch, isFetching } = useCoverage()
  const coverage = useDeferredValue(data)
  return (
    // The minimum height prevents the content below from moving when the figures have loaded.
    <figure className="grid min-h-211 min-[390px]:min-h-191 content-start gap-5 rounded-card border border-line bg-surface p-5 sm:min-h-161 sm:p-6 md:min-h-153 lg:min-h-126">
      <figcaption className="text-14 text-muted">
        <span className="whitespace-nowrap">
          Reserve coverage
          <TermInfo term="coverage" />
        </span>{' '}
        and cash in the ledger
      </figcaption>
      {coverage !== undefined ? (
        <Figures coverage={coverage} />
      ) : isError ? (
        <FailedState
          message="The coverage could not be loaded."
          error={error}
          onRetry={refetch}
          pending={isFetching}
        />
      ) : (
        <>
          <noscript>
            <p className="text-14">These live figures need JavaScript.</p>
          </noscript>
          <Skeleton className="h-98 w-full rounded-card" />
        </>
      )}
    </figure>
  )
}

function Figures({ coverage }: { coverage: Coverage }) {
  const { percentage, shortfall, asOf, ledgers } = coverage
  const { owed, promised, own, cash } = groupCoverage(coverage)
  const held = toMinor(coverage.paymentAccounts ?? coverage.cash)
  // Release 0.9.0 does not say what the payment accounts hold.
  const isShort = coverage.paymentAccounts !== undefined && held < owed
  return (
    <>
      <div className="-mt-3 grid gap-2">
        {isShort ? (
          <p className="max-w-none font-semibold text-20 text-pending">
            Payment accounts hold {formatMoney(owed - held)} less than is owed to investors.
          </p>
        ) : (
          <p className="tabular font-semibold text-40 leading-none tracking-tight">{percentage}%</p>
        )}
        <div className="grid gap-x-8 gap-y-3 text-14 lg:grid-cols-2">
          {held < cash && (
            <p>
              Of the cash in the ledger, {formatMoney(held)} is in payment accounts.{' '}
              {isShort && own >= 0n ? 'The rest, with the whole reserve, is' : 'The rest is'} booked
              to the treasury, which has no payment account.
            </p>
          )}
          <p>
            Today, the reserve covers {percentage}% of the profit promised on running plans. It does
            not cover your principal, and is not a legal guarantee.
          </p>
        </div>
      </div>
      <div className="grid gap-2 border-line border-t pt-4">
        <p className="text-14 text-muted">Cash in the ledger, by use</p>
        <CashBar owed={owed} promised={promised} own={own} />
      </div>
      <dl className="grid gap-x-6 gap-y-2 text-14 max-lg:max-w-md lg:grid-cols-4">
        <Part sign="" look={CASH_LOOKS.owed} name="Owed to investors" minor={owed} />
        <Part sign="+" look={CASH_LOOKS.promised} name="Promised profit" minor={promised} />
        {own < 0n ? (
          <Part sign={'\u2212'} look={COSTS_LOOK} name="Costs not yet covered" minor={-own} />
        ) : (
          <Part sign="+" look={CASH_LOOKS.own} name="Uncommitted after costs" minor={own} />
        )}
        <Part sign="=" look="" name="Cash in the ledger" minor={cash} />
      </dl>
      <p className="max-w-[64ch] text-14">
        “Owed” is all wallets, held withdrawals and invested principal. The other{' '}
        {formatMoney(cash - owed)} is the operator’s own, and is not kept apart. No deposit
        guarantee or compensation scheme protects this cash.
      </p>
      <div className="grid gap-2 border-line border-t pt-4 text-12 text-muted">
        {shortfall > 0 && (
          <p className="text-14 text-pending">
            Of the promised profit, {formatMoney(toMinor(shortfall))} is not covered.
          </p>
        )}
        <p>
          From {ledgers === undefined ? 'the ledger' : `${ledgers.length} ledgers`},{' '}
          <UtcMoment at={asOf} />. The ledger does not prove what a bank account holds.
        </p>
        <details>
          <summary className="w-fit py-1 font-medium text-accent underline underline-offset-4">
            Show every line
          </summary>
          <Lines coverage={coverage} />
        </details>
      </div>
    </>
  )
}

type PartProps = { sign: string; look: string; name: string; minor: Minor }

/** Shows a part of the bar, or the total, whose look is empty. */
function Part({ sign, look, name, minor }: PartProps) {
  return (
    <div className="flex justify-between gap-3 lg:block">
      <dt className="flex items-center gap-2 text-muted">
        <span aria-hidden="true" className={`size-3 shrink-0 rounded-sm ${look}`} />
        {name}
      </dt>
      <dd className="tabular font-medium lg:pl-5">
        {sign !== '' && <span className="text-muted">{sign} </span>}
        {formatMoney(minor)}
      </dd>
    </div>
  )
}

function Lines({ coverage }: { coverage: Coverage }) {
  const lines = listCoverageLines(coverage)
  return (
    <table className="mt-2 w-full max-w-2xl text-14">
      <caption className="sr-only">The cash of the ledger by account</caption>
      <tbody>
        {lines.map(({ name, minor }) => (
          <tr key={name} className="border-line border-t">
            <th scope="row" className="py-1.5 pr-4 text-left font-normal">
              {name}
            </th>
            <td className="py-1.5 text-right">{formatMoney(minor)}</td>
          </tr>
        ))}
        <tr className="border-line-strong border-t font-semibold text-ink">
          <th scope="row" className="py-1.5 pr-4 text-left">
            Cash in the ledger
          </th>
          <td className="py-1.5 text-right">{formatMoney(toMinor(coverage.cash))}</td>
        </tr>
      </tbody>
    </table>
  )
}
