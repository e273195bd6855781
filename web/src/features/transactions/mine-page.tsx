import { exportMyTransactions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FilterBar } from '../../shared/ui/filter-bar.tsx'
import { NoMatches } from '../../shared/ui/no-matches.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { isFiltered } from '../../shared/url/filtered.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { ROWS_PER_PAGE } from '../../shared/url/page-of.ts'
import { useUrlState } from '../../shared/url/url-state.ts'
import { BankAccountsDialog } from '../banks/index.ts'
import { useTable } from '../preferences/index.ts'
import { FILTERS, NO_FILTER, readTransactionQuery } from './admin-filters.ts'
import { MyTransactionPanel } from './mine-panel.tsx'
import { NarrowTransaction } from './narrow-transaction.tsx'
import { NarrowTransactionPlaceholder, TypePlaceholder } from './placeholders.tsx'
import { type Transaction, transactionQueries } from './queries.ts'
import { AmountCell, BalanceCell, MyTypeCell, StatusBadge } from './transaction-cells.tsx'
import { getTransactionTitle, NO_PLANS, type PlanNames } from './transaction-labels.ts'

const buildColumns = (planNames: PlanNames): ReadonlyArray<Column<Transaction>> => [
  {
    id: 'type',
    header: 'Type',
    renderPlaceholder: () => <TypePlaceholder />,
    renderCell: (row) => <MyTypeCell transaction={row} planNames={planNames} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount',
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
    id: 'balance',
    header: 'Balance after',
    align: 'right',
    placeholder: 'w-41',
    renderCell: (row) => <BalanceCell transaction={row} />,
  },
  {
    id: 'date',
    header: 'Date',
    sort: 'createdAt',
    align: 'right',
    placeholder: 'w-41.5',
    // In a narrow table the time is below the day.
    renderCell: (row) => (
      <>
        <DateText at={row.createdAt} format="day" />, <DateText at={row.createdAt} format="time" />
      </>
    ),
  },
]

export function MyTransactionsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readTransactionQuery(search, useReaderClock())
  const query = useQuery(transactionQueries.listOwnTransactions(filter))
  const plans = useQuery(transactionQueries.listPlanNames())
  const planNames = plans.data ?? NO_PLANS
  // The rows wait for the names: a name that came later would change the width of its column.
  const rows = plans.isPending ? undefined : query.data?.transactions
  const table = useTable('ownTransactions', buildColumns(planNames))
  const openedId = search.get('transaction')
  // Without the cancelled request, a list of pending requests with one match would be empty.
  const isLastPending = filter.status === 'pending' && query.data?.meta.total === 1
  return (
    <>
      <PageHeader
        hasTimes
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
          action={<CsvLink endpoint={exportMyTransactions} query={filter} />}
        />
        <FilterBar
          label="Search your transactions"
          searched="reference or amount"
          filters={FILTERS}
          total={query.data?.meta.total}
          menu={table.menu}
        />
        <DataTable
          caption="Transaction History"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: rows }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowTransaction transaction={row} planNames={planNames} />}
          failed="Your transactions could not be loaded."
          skeletonRows={ROWS_PER_PAGE}
          narrowPlaceholder={<NarrowTransactionPlaceholder />}
          onOpen={(row) => url.set({ transaction: row.id })}
          openLabel={(row) => `Details of ${getTransactionTitle(row)} ${row.reference}`}
          empty={
            isFiltered(search, NO_FILTER) ? (
              <NoMatches title="No Transactions Found" cleared={NO_FILTER} />
            ) : (
              <EmptyTransactions />
            )
          }
        />
        <Pagination
          pages={rows === undefined ? 1 : (query.data?.meta.pages ?? 1)}
          rows={query.isPlaceholderData ? undefined : rows}
        />
      </Card>
      <MyTransactionPanel
        id={openedId}
        row={rows?.find(({ id }) => id === openedId) ?? null}
        planNames={planNames}
        onCancelled={() => isLastPending && url.set({ status: null, page: null })}
        onClose={() => url.set({ transaction: null })}
      />
      <BankAccountsDialog
        open={search.get('banks') === 'open'}
        onOpenChange={(isOpen) => url.set({ banks: isOpen ? 'open' : null })}
      />
    </>
  )
}

function EmptyTransactions() {
  return (
    <EmptyState
      title="No Transactions Found"
      text="Make your first transaction by depositing funds"
      action={
        <ButtonLink to="/manage/investor/deposit" look="primary">
          Deposit Now
        </ButtonLink>
      }
    />
  )
}
