import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'

import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DateText } from '../../ui/date-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import type { Column } from '../../ui/table-column.tsx'
import { pageOf } from '../../url/page-of.ts'
import { useUrlState } from '../../url/url-state.ts'
import { BankAccountsDialog } from '../banks/bank-accounts-dialog.tsx'
import { MyTransactionPanel } from './mine-panel.tsx'
import { NarrowTransaction } from './narrow-transaction.tsx'
import { type Transaction, transactionQueries } from './queries.ts'
import { AmountCell, StatusBadge, TypeCell } from './transaction-marks.tsx'
import { transactionTitle } from './transaction-words.ts'

const ROWS_PER_PAGE = 20

const COLUMNS: ReadonlyArray<Column<Transaction>> = [
  { id: 'type', header: 'Type', cell: (row) => <TypeCell transaction={row} /> },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (row) => <AmountCell transaction={row} />,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (row) => <StatusBadge status={row.status} viewer="investor" />,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    cell: (row) => <DateText at={row.createdAt} format="moment" />,
  },
]

export function MyTransactionsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const page = pageOf(search)
  const query = useQuery(transactionQueries.mine({ page, limit: ROWS_PER_PAGE }))
  const rows = query.data?.transactions
  const total = query.data?.meta.total
  const opened = rows?.find(({ id }) => id === search.get('transaction')) ?? null
  return (
    <>
      <PageHeader
        title="Transactions"
        actions={
          <>
            <ButtonLink to="/manage/investor/deposit" look="primary">
              Deposit Funds
            </ButtonLink>
            <ButtonLink to="/manage/investor/withdrawal">Withdraw Funds</ButtonLink>
            <Button onClick={() => url.set({ banks: 'open' })}>
              <Landmark aria-hidden="true" className="size-4" />
              Bank Accounts
            </Button>
          </>
        }
      />
      <Card>
        <CardHeader
          title="Transaction History"
          note={total === undefined ? undefined : countOf(total)}
        />
        <DataTable
          caption="Transaction History"
          columns={COLUMNS}
          query={{ ...query, data: rows }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowTransaction transaction={row} />}
          failed="Your transactions could not be loaded."
          skeletonRows={8}
          onOpen={(row) => url.set({ transaction: row.id })}
          openLabel={(row) => `Details of ${transactionTitle(row)} ${row.reference}`}
          empty={
            <EmptyState
              title="No Transactions Found"
              text="Make your first transaction by depositing funds"
              action={
                <ButtonLink to="/manage/investor/deposit" look="primary">
                  Deposit Now
                </ButtonLink>
              }
            />
          }
        />
        <Pagination
          page={page}
          pages={query.data?.meta.pages ?? 1}
          onPage={(next) => url.set({ page: next === 1 ? null : String(next) })}
        />
      </Card>
      <MyTransactionPanel transaction={opened} onClose={() => url.set({ transaction: null })} />
      <BankAccountsDialog
        open={search.get('banks') === 'open'}
        onOpenChange={(isOpen) => url.set({ banks: isOpen ? 'open' : null })}
      />
    </>
  )
}

function countOf(total: number): string {
  return total === 1 ? '1 Record' : `${total.toLocaleString('en-US')} Records`
}
