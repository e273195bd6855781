import { toMinor } from '../../shared/money/money.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { InvestmentBadge } from './investment-badge.tsx'
import type { Investment } from './queries.ts'

export const ADMIN_COLUMNS: ReadonlyArray<Column<Investment>> = [
  { id: 'user', header: 'User/Plan', renderCell: (row) => <OwnerCell investment={row} /> },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
    align: 'right',
    renderCell: (row) => <AmountCell investment={row} />,
  },
  {
    id: 'dates',
    header: 'Dates',
    sort: 'createdAt',
    renderCell: (row) => <DatesCell investment={row} />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <InvestmentBadge status={row.status} /> },
]

function OwnerCell({ investment }: { investment: Investment }) {
  const name = investment.user?.name ?? 'Unknown User'
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} photo={investment.user?.photo} />
      <span className="grid min-w-0 grid-cols-1">
        <span className="truncate font-medium">{name}</span>
        <span className="truncate text-12 text-muted">{investment.plan.name ?? 'No Plan'}</span>
      </span>
    </span>
  )
}

function AmountCell({ investment }: { investment: Investment }) {
  return (
    <span className="grid justify-items-end">
      <MoneyText minor={toMinor(investment.amount)} className="font-medium" />
      <span className="text-12 text-muted">
        Profit: <MoneyText minor={toMinor(investment.profit)} />
      </span>
    </span>
  )
}

function DatesCell({ investment }: { investment: Investment }) {
  const hasEnded = investment.status !== 'active'
  const end = investment.endedAt ?? investment.expiryDate
  return (
    <span className="grid">
      <span>
        Started <DateText at={investment.createdAt} format="day" />
      </span>
      <span className="text-12 text-muted">
        {hasEnded ? 'Ended ' : 'Ends '}
        <DateText at={end} format="day" />, <DateText at={end} format="relative" />
      </span>
    </span>
  )
}

export function NarrowAdminInvestment({ investment }: { investment: Investment }) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-center justify-between gap-3">
        <OwnerCell investment={investment} />
        <AmountCell investment={investment} />
      </span>
      <span className="flex items-end justify-between gap-3">
        <DatesCell investment={investment} />
        <InvestmentBadge status={investment.status} />
      </span>
    </span>
  )
}
