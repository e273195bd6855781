import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { InvestmentBadge } from './investment-badge.tsx'
import type { Investment } from './queries.ts'

export const MY_COLUMNS: ReadonlyArray<Column<Investment>> = [
  {
    id: 'plan',
    header: 'Plan',
    renderCell: (row) => <span className="font-medium">{row.plan.name ?? 'No Plan'}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  {
    id: 'profit',
    header: 'Profit',
    align: 'right',
    renderCell: (row) => <ProfitCell investment={row} />,
  },
  {
    id: 'start',
    header: 'Start Date/Time',
    placeholder: 'w-36',
    sort: 'createdAt',
    renderCell: (row) => <DateText at={row.createdAt} format="moment" />,
  },
  {
    id: 'end',
    header: 'End Date/Time',
    placeholder: 'w-36',
    renderCell: (row) => <DateText at={row.endedAt ?? row.expiryDate} format="moment" />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <InvestmentBadge status={row.status} /> },
]

function ProfitCell({ investment }: { investment: Investment }) {
  return (
    <span className="grid justify-items-end">
      <MoneyText minor={toMinor(investment.profit)} />
      <span className="text-12 text-muted">
        of <MoneyText minor={toMinor(investment.expectedProfit)} />
      </span>
    </span>
  )
}

export function NarrowInvestment({ investment }: { investment: Investment }) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-start justify-between gap-3">
        <span className="font-medium">{investment.plan.name ?? 'No Plan'}</span>
        <MoneyText minor={toMinor(investment.amount)} className="font-medium" />
      </span>
      <span className="flex items-center justify-between gap-3">
        <InvestmentBadge status={investment.status} />
        <span className="text-12 text-muted">
          Profit <MoneyText minor={toMinor(investment.profit)} /> of{' '}
          <MoneyText minor={toMinor(investment.expectedProfit)} />
        </span>
      </span>
      <span className="text-12 text-muted">
        <DateText at={investment.createdAt} format="moment" /> to{' '}
        <DateText at={investment.endedAt ?? investment.expiryDate} format="moment" />
      </span>
    </span>
  )
}
