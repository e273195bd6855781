import { Ban, CircleCheck, Clock } from 'lucide-react'

import { toMinor } from '../../shared/money/money.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { describeMethod } from '../transactions/index.ts'
import type { Adjustment } from './queries.ts'

const MARKS = {
  proposed: { tone: 'pending', icon: Clock, word: 'Proposed' },
  applied: { tone: 'success', icon: CircleCheck, word: 'Applied' },
  rejected: { tone: 'declined', icon: Ban, word: 'Rejected' },
} as const

export function AdjustmentAmount({ adjustment }: { adjustment: Adjustment }) {
  const minor = toMinor(adjustment.amount)
  return <MoneyText minor={adjustment.isCredit ? minor : -minor} signed className="font-medium" />
}

export function AdjustmentBadge({ adjustment }: { adjustment: Adjustment }) {
  return <Badge {...MARKS[adjustment.status]} />
}

export const ADJUSTMENT_COLUMNS: ReadonlyArray<Column<Adjustment>> = [
  {
    id: 'user',
    header: 'User',
    renderCell: (row) => <Name>{row.user?.name ?? 'Unknown User'}</Name>,
  },
  { id: 'wallet', header: 'Wallet', renderCell: (row) => describeMethod(row.wallet_type) },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <AdjustmentAmount adjustment={row} />,
  },
  {
    id: 'by',
    header: 'Proposed by',
    renderCell: (row) => <Name>{row.proposedBy?.name ?? 'Unknown'}</Name>,
  },
  {
    id: 'at',
    header: 'Date',
    renderCell: (row) => <DateText at={row.createdAt} format="moment" />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <AdjustmentBadge adjustment={row} /> },
]

function Name({ children }: { children: string }) {
  return <span className="wrap-anywhere block min-w-32">{children}</span>
}

export function NarrowAdjustment({ adjustment }: { adjustment: Adjustment }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{adjustment.user?.name ?? 'Unknown User'}</span>
        <span className="text-12 text-muted">{describeMethod(adjustment.wallet_type)}</span>
      </span>
      <AdjustmentAmount adjustment={adjustment} />
      <AdjustmentBadge adjustment={adjustment} />
    </span>
  )
}
