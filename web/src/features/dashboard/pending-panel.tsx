import { useNavigate } from 'react-router-dom'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable, type ListQuery } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import {
  AmountCell,
  getOwner,
  getTransactionTitle,
  type Transaction,
  TypeCell,
} from '../transactions/index.ts'

const ROWS_SHOWN = 5

const COLUMNS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'type',
    header: 'Transaction',
    cell: (row) => <TypeCell transaction={row} note={getOwner(row).name} />,
  },
  {
    id: 'age',
    header: 'Waiting since',
    cell: (row) => <DateText at={row.createdAt} format="relative" />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (row) => <AmountCell transaction={row} />,
  },
]

type PanelProps = {
  transactions: readonly Transaction[] | undefined
  total: number | undefined
  query: Omit<ListQuery<Transaction>, 'data'>
}

/** Lists the five oldest pending requests and states the number of all pending requests. */
export function PendingPanel({ transactions, total, query }: PanelProps) {
  const navigate = useNavigate()
  return (
    <Card>
      <CardHeader
        title="Pending Transactions"
        note={total === undefined || total === 0 ? undefined : `${total} waiting`}
        action={
          <TextLink to="/manage/admin/transactions" className="text-14">
            View All
          </TextLink>
        }
      />
      <DataTable
        caption="Pending Transactions"
        columns={COLUMNS}
        query={{ ...query, data: transactions?.slice(0, ROWS_SHOWN) }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="grid grid-cols-1 gap-1">
            <span className="flex items-center justify-between gap-3">
              <TypeCell transaction={row} note={getOwner(row).name} />
              <AmountCell transaction={row} />
            </span>
            <span className="text-12 text-muted">
              <DateText at={row.createdAt} format="relative" />
            </span>
          </span>
        )}
        failed="The pending transactions could not be loaded."
        onOpen={(row) => {
          const search = new URLSearchParams({
            status: 'pending',
            q: row.reference,
            transaction: row.id,
          })
          void navigate(`/manage/admin/transactions?${search}`)
        }}
        openLabel={(row) => `Review ${getTransactionTitle(row)} ${row.reference}`}
        empty={<EmptyState title="No pending transactions" />}
      />
    </Card>
  )
}
