import type { UserStats } from '@cairn/gateway-contracts'
import type { ReactNode } from 'react'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { sumWallets } from '../../shared/money/sum-wallets.ts'
import { Card } from '../../shared/ui/card.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import type { TermName } from '../../shared/ui/terms.ts'
import { PeriodGain } from './period-gain.tsx'

export type NetWorthProps = { stats: UserStats | undefined; hasFailed: boolean }

type LeadProps = {
  /** The total that the card shows; null if another card of the page shows the total. */
  total: NetWorthProps | null
  picker: ReactNode
  tableButton: ReactNode
  /** If this content is set, it replaces the list of the parts of the total. */
  note?: ReactNode
  legend: ReactNode
  children?: ReactNode
}

/** Shows the total of the investor beside the controls of the chart. */
export function NetWorthLead({ total, picker, tableButton, note, legend, children }: LeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2.5">
      {total === null ? (
        <h2 className="py-1 font-semibold text-16">Net worth over time</h2>
      ) : (
        <Total {...total} />
      )}
      {/* On a phone, the controls of the chart come last. */}
      <div className="grid basis-full gap-1.5 sm:order-1">
        {note !== undefined ? (
          <p className="min-h-10 text-14 text-muted sm:min-h-5">{note}</p>
        ) : (
          total !== null && <Parts {...total} />
        )}
        {legend}
      </div>
      <div className="grid gap-2 sm:justify-items-end">
        <div className="flex items-center gap-1">
          {picker}
          {tableButton}
        </div>
        <div className="min-h-8">{children}</div>
      </div>
    </div>
  )
}

/** A card that shows the total of the investor and its parts, without the chart. */
export function NetWorthTotal(props: NetWorthProps) {
  return (
    <Card className="grid gap-2 px-5 py-4">
      <Total {...props} />
      <Parts {...props} />
    </Card>
  )
}

function Total({ stats, hasFailed }: NetWorthProps) {
  return (
    <div className="grid">
      <h2 className="font-medium text-14 text-muted leading-5">Net worth</h2>
      <p className="mt-1 h-10 font-semibold text-20 leading-10 tracking-tight min-[360px]:text-28 sm:text-40">
        {stats === undefined ? (
          <FigurePlaceholder hasFailed={hasFailed} className="h-8 w-56" />
        ) : (
          <MoneyText minor={toTotal(stats)} large />
        )}
      </p>
      <PeriodGain />
    </div>
  )
}

/** Shows the parts of the total, such as available and held money. */
function Parts({ stats, hasFailed }: NetWorthProps) {
  return (
    <dl className="flex min-h-10 flex-wrap gap-x-5 text-14 sm:min-h-5 lg:gap-x-8">
      {stats === undefined && !hasFailed ? (
        <Skeleton className="h-5 w-72" />
      ) : (
        PARTS.map(({ name, term, getMinor }) => (
          <div key={name} className="sm:flex sm:gap-2">
            <dt className="text-muted">
              {name}
              {term !== null && <TermInfo term={term} />}
            </dt>
            <dd>
              {stats === undefined ? (
                <FigurePlaceholder hasFailed={hasFailed} className="h-4 w-20" />
              ) : (
                <MoneyText minor={getMinor(stats)} className="font-semibold" />
              )}
            </dd>
          </div>
        ))
      )}
    </dl>
  )
}

type Part = { name: string; term: TermName | null; getMinor: (stats: UserStats) => Minor }

const PARTS: readonly Part[] = [
  { name: 'Invested', term: null, getMinor: ({ invested }) => toMinor(invested) },
  { name: 'Available', term: 'available', getMinor: ({ wallet }) => sumWallets(wallet) },
  { name: 'Held', term: 'held', getMinor: ({ held }) => sumWallets(held) },
]

function toTotal(stats: UserStats): Minor {
  return PARTS.reduce((total, { getMinor }) => total + getMinor(stats), 0n)
}
