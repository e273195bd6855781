import { exportTransactions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FilterBar } from '../../shared/ui/filter-bar.tsx'
import { FilterChip } from '../../shared/ui/filter-chip.tsx'
import { NoMatches } from '../../shared/ui/no-matches.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { isFiltered } from '../../shared/url/filtered.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import {
  buildAdminColumns,
  NarrowAdminTransaction,
  type OpenAction,
  RowActions,
} from './admin-columns.tsx'
import { FILTERS, NO_FILTER, readTransactionQuery } from './admin-filters.ts'
import { AdminTransactionPanel } from './admin-panel.tsx'
import { BulkSelection, useDecidable } from './bulk-selection.tsx'
import { transactionQueries } from './queries.ts'
import { getTransactionTitle } from './transaction-labels.ts'

const CLEARED = { ...NO_FILTER, user: null } as const

export function TransactionsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const person = search.get('user') ?? ''
  const filter = {
    ...readTransactionQuery(search, useReaderClock()),
    ...(person === '' ? {} : { user: person }),
  }
  const query = useQuery(transactionQueries.listAllTransactions(filter))
  const rows = query.data?.transactions
  const meta = query.data?.meta
  const openedId = search.get('transaction')
  const openAction: OpenAction = (id, action) => url.set({ transaction: id, action })
  const table = useTable('transactions', buildAdminColumns(openAction))
  const selection = useDecidable(rows, filter)
  return (
    <>
      <PageHeader
        text="Deposits, withdrawals and transfers of all users. Pay a withdrawal first, then approve it."
        hasTimes
      />
      <Figures totals={meta?.totals} isLoading={query.isPending} />
      <Card>
        <CardHeader
          title="All transactions"
          action={<CsvLink endpoint={exportTransactions} query={filter} />}
        />
        <FilterBar
          label="Search transactions"
          searched="reference, user or amount"
          filters={FILTERS}
          total={meta?.total}
          cleared={CLEARED}
          menu={table.menu}
        />
        <PersonFilter name={rows?.[0]?.user?.name} />
        <DataTable
          caption="Transactions"
          selection={selection}
          nameOf={(row) => `${getTransactionTitle(row)} ${row.reference}`}
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: rows }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowAdminTransaction transaction={row} />}
          narrowActions={(row) => <RowActions transaction={row} open={openAction} isLarge />}
          failed="The transactions could not be loaded."
          skeletonRows={10}
          onOpen={(row) => url.set({ transaction: row.id, action: null })}
          openLabel={(row) => `Details of ${getTransactionTitle(row)} ${row.reference}`}
          empty={
            isFiltered(search, CLEARED) ? (
              <NoMatches title="No transactions found" cleared={CLEARED} />
            ) : (
              <NoTransactions />
            )
          }
        />
        <BulkSelection selection={selection} />
        <Pagination pages={meta?.pages ?? 1} rows={query.isPlaceholderData ? undefined : rows} />
      </Card>
      <AdminTransactionPanel
        id={openedId}
        rows={rows}
        action={search.get('action')}
        isQueue={filter.status === 'pending'}
        onOpen={(id) => url.set({ transaction: id, action: null }, { replace: true })}
        onAction={(action) => url.set({ action }, { replace: true })}
        onClose={() => url.set({ transaction: null, action: null })}
      />
    </>
  )
}

/** Names the user whose transactions are shown. */
function PersonFilter({ name = 'one user' }: { name: string | undefined }) {
  const [search] = useSearchParams()
  if (!search.has('user')) return null
  return (
    <div className="border-line border-b px-5 py-3">
      <FilterChip
        text={`Of ${name}`}
        label={`Remove the filter by user: ${name}`}
        cleared={{ user: null, page: null }}
      />
    </div>
  )
}

function NoTransactions() {
  return (
    <EmptyState
      title="No transactions yet"
      text="Investors deposit with the payment options that you offer."
      action={
        <Allowed permission="paymentOptions.read">
          <ButtonLink to="/manage/admin/payment_options">Payment Options</ButtonLink>
        </Allowed>
      }
    />
  )
}

type Totals = { transactions: number; deposits: number; withdrawals: number; pending: number }

function Figures({ totals, isLoading }: { totals: Totals | undefined; isLoading: boolean }) {
  return (
    <StatGroup label="All transactions">
      <StatCard
        label="Total Transactions"
        value={totals === undefined ? null : { count: totals.transactions }}
        isLoading={isLoading}
      />
      <StatCard
        label="Total Deposits"
        value={totals === undefined ? null : { money: toMinor(totals.deposits) }}
        isLoading={isLoading}
      />
      <StatCard
        label="Total Withdrawals"
        value={totals === undefined ? null : { money: toMinor(totals.withdrawals) }}
        isLoading={isLoading}
      />
      <StatCard
        label="Pending"
        value={totals === undefined ? null : { count: totals.pending }}
        isLoading={isLoading}
        note="Waiting for a decision"
      />
    </StatGroup>
  )
}
