import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { NarrowTransaction } from './narrow-transaction.tsx'
import { type Transaction, transactionQueries } from './queries.ts'
import { AmountCell, StatusBadge, TypeCell } from './transaction-cells.tsx'
import { describePurpose, type PlanNames } from './transaction-labels.ts'

const ROWS_SHOWN = 5

const COLUMNS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <AmountCell transaction={row} />,
  },
  {
    id: 'status',
    header: 'Status',
    placeholder: 'w-24',
    renderCell: (row) => <StatusBadge transaction={row} viewer="investor" />,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    placeholder: 'w-28',
    renderCell: (row) => <DateText at={row.createdAt} format="short" />,
  },
  {
    id: 'receipt',
    header: 'Receipt',
    align: 'right',
    placeholder: 'w-12.5',
    renderCell: (row) => <ReceiptLink transaction={row} />,
  },
]

/**
 * Lists the recent transactions. Each title states the effect of the transaction. `planNames`
 * contains the plan name of each investment.
 */
export function MyRecentTransactions({ planNames }: { planNames: PlanNames }) {
  const query = useQuery(transactionQueries.listRecentTransactions())
  const columns: ReadonlyArray<Column<Transaction>> = [
    {
      id: 'type',
      header: 'Type',
      renderCell: (row) => <TypeCell transaction={row} title={describePurpose(row, planNames)} />,
    },
    ...COLUMNS,
  ]
  return (
    <Card>
      <CardHeader
        title="Recent Transactions"
        note="Without profit credits"
        action={
          <TextLink to="/manage/investor/transactions" className="text-14">
            View All
          </TextLink>
        }
      />
      <DataTable
        caption="Recent Transactions"
        columns={columns}
        query={{ ...query, data: query.data?.slice(0, ROWS_SHOWN) }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <NarrowTransaction
            transaction={row}
            planNames={planNames}
            action={<ReceiptLink transaction={row} />}
          />
        )}
        failed={null}
        empty={
          <EmptyState
            title="No Transactions Found"
            text="Make your first transaction by depositing funds"
            action={<ButtonLink to="/manage/investor/deposit">Deposit Now</ButtonLink>}
          />
        }
      />
    </Card>
  )
}

/**
 * Links to the ledger receipt of the transaction, where the reader verifies or downloads it. A bonus
 * that was taken back has no receipt of its own.
 */
function ReceiptLink({ transaction }: { transaction: Transaction }) {
  if (transaction.purpose === 'bonus-return') return null
  return (
    <TextLink to={`/manage/investor/transactions?transaction=${transaction.id}#proof`}>
      Receipt<span className="sr-only"> of {transaction.reference}</span>
    </TextLink>
  )
}
