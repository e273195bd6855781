import { type Minor, toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { PlaceholderLine, TwoLinePlaceholder } from '../../shared/ui/table-skeleton.tsx'
import { InvestmentBadge } from './investment-badge.tsx'
import type { Investment, InvestmentProgress } from './queries.ts'

/** The next profit of a running investment. */
export type NextPayment = { at: string; minor: Minor }
/** The next payments by the id of the investment. */
export type NextPayments = ReadonlyMap<string, NextPayment>

/** Returns the next payments of the running investments. */
export function findNextPayments(running: readonly InvestmentProgress[]): NextPayments {
  return new Map(
    running.flatMap(({ nextProfitAt: at, nextProfit, investment }) =>
      at === null || nextProfit === null
        ? []
        : [[investment.id, { at, minor: toMinor(nextProfit) }] as const],
    ),
  )
}

export const buildMyColumns = (next: NextPayments): ReadonlyArray<Column<Investment>> => [
  {
    id: 'plan',
    header: 'Plan',
    placeholder: 'w-12',
    renderCell: (row) => <span className="font-medium">{row.plan.name ?? 'No Plan'}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    align: 'right',
    placeholder: 'w-18',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  {
    id: 'profit',
    header: 'Profit',
    align: 'right',
    renderPlaceholder: () => <TwoLinePlaceholder widths={['w-36', 'w-47']} align="right" />,
    renderCell: (row) => <ProfitCell investment={row} payment={next.get(row.id)} />,
  },
  {
    id: 'start',
    header: 'Start Date/Time',
    placeholder: 'w-41.5',
    sort: 'createdAt',
    renderCell: (row) => <DateText at={row.createdAt} format="moment" />,
  },
  {
    id: 'end',
    header: 'End Date/Time',
    placeholder: 'w-41.5',
    renderCell: (row) => <DateText at={row.endedAt ?? row.expiryDate} format="moment" />,
  },
  {
    id: 'status',
    header: 'Status',
    placeholder: 'w-24',
    renderCell: (row) => <InvestmentBadge status={row.status} />,
  },
]

function NextProfit({ payment }: { payment: NextPayment | undefined }) {
  if (payment === undefined) return null
  return (
    <span className="text-12 text-muted leading-4">
      Next <MoneyText minor={payment.minor} /> on <DateText at={payment.at} format="short" />
    </span>
  )
}

function ProfitCell({
  investment,
  payment,
}: {
  investment: Investment
  payment: NextPayment | undefined
}) {
  return (
    <span className="grid justify-items-end">
      <span>
        <MoneyText minor={toMinor(investment.profit)} />{' '}
        <span className="text-12 text-muted">
          of <MoneyText minor={toMinor(investment.expectedProfit)} />
        </span>
      </span>
      <NextProfit payment={payment} />
    </span>
  )
}

/** The placeholder of a running investment on narrow screens. */
export function NarrowInvestmentPlaceholder() {
  return (
    <div className="grid gap-2">
      <PlaceholderLine widths={['w-16', 'w-20']} className="h-5" />
      <span className="flex items-center justify-between gap-3">
        <Skeleton className="h-6 w-24 rounded-full!" />
        <span className="grid justify-items-end">
          <span className="flex h-4 items-center">
            <Skeleton className="h-3 w-36" />
          </span>
          <span className="flex h-4 items-center">
            <Skeleton className="h-3 w-44" />
          </span>
        </span>
      </span>
      <span className="flex h-4 items-center">
        <Skeleton className="h-3 w-64" />
      </span>
    </div>
  )
}

type NarrowProps = { investment: Investment; next: NextPayments }

export function NarrowInvestment({ investment, next }: NarrowProps) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-start justify-between gap-3">
        <span className="font-medium">{investment.plan.name ?? 'No Plan'}</span>
        <MoneyText minor={toMinor(investment.amount)} className="font-medium" />
      </span>
      <span className="flex items-center justify-between gap-3">
        <InvestmentBadge status={investment.status} />
        <span className="grid justify-items-end text-right text-12 text-muted">
          <span>
            Profit <MoneyText minor={toMinor(investment.profit)} /> of{' '}
            <MoneyText minor={toMinor(investment.expectedProfit)} />
          </span>
          <NextProfit payment={next.get(investment.id)} />
        </span>
      </span>
      <span className="text-12 text-muted">
        <DateText at={investment.createdAt} format="moment" /> to{' '}
        <DateText at={investment.endedAt ?? investment.expiryDate} format="moment" />
      </span>
    </span>
  )
}
