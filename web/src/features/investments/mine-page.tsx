import { exportMyInvestments } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { toMinor } from '../../shared/money/money.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { FilterBar } from '../../shared/ui/filter-bar.tsx'
import { NoMatches } from '../../shared/ui/no-matches.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { isFiltered } from '../../shared/url/filtered.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { statsQueries } from '../charts/index.ts'
import { useTable } from '../preferences/index.ts'
import { MyInvestmentPanel } from './detail-panel.tsx'
import { FILTERS, NO_FILTER, readInvestmentQuery } from './filters.ts'
import {
  buildMyColumns,
  findNextPayments,
  NarrowInvestment,
  NarrowInvestmentPlaceholder,
} from './mine-columns.tsx'
import { NewInvestment } from './new-investment.tsx'
import { ProfitNote } from './profit-note.tsx'
import { investmentQueries } from './queries.ts'
import { WalletNote } from './wallet-note.tsx'

const NEW = '/manage/investor/investments?view=new'

export function MyInvestmentsPage() {
  const [search] = useSearchParams()
  return search.get('view') === 'new' ? <NewInvestment /> : <History />
}

function History() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readInvestmentQuery(search, useReaderClock())
  const query = useQuery(investmentQueries.listOwnInvestments(filter))
  const stats = useQuery(statsQueries.readOwnStats())
  const figures = stats.data
  const running = useQuery(investmentQueries.refreshOwnInvestments())
  const next = findNextPayments(running.data?.investments ?? [])
  const table = useTable('ownInvestments', buildMyColumns(next))
  // The rows wait for the next payments: a payment that came later would make its column wider.
  const rows = running.isPending ? undefined : query.data?.investments
  return (
    <>
      <PageHeader
        text="By the terms of each plan. Not guaranteed."
        hasTimes
        actions={
          <ButtonLink to={NEW} look="primary">
            <Plus aria-hidden="true" className="size-4" />
            New Investment
          </ButtonLink>
        }
      />
      {stats.isError && (
        <FailedState
          message="Your totals could not be loaded."
          error={stats.error}
          onRetry={stats.refetch}
          pending={stats.isFetching}
        />
      )}
      <StatGroup label="Your investments">
        <StatCard
          label="Total Profit"
          value={figures === undefined ? null : { money: toMinor(figures.total_profit) }}
          isLoading={stats.isPending}
          note={
            <WalletNote
              stats={figures}
              wallet="profit"
              text={<ProfitNote stats={figures} isLoading={stats.isPending} />}
            />
          }
        />
        <StatCard
          label="Total Investments"
          value={figures === undefined ? null : { count: figures.total_investment }}
          isLoading={stats.isPending}
          note="All since the start"
        />
        <StatCard
          label="Total Invested"
          value={figures === undefined ? null : { money: toMinor(figures.total_amount) }}
          isLoading={stats.isPending}
          note="All since the start"
        />
      </StatGroup>
      <Card>
        <CardHeader
          title="Investment History"
          action={<CsvLink endpoint={exportMyInvestments} query={filter} />}
        />
        <FilterBar
          label="Search your investments"
          searched="plan, reference or amount"
          filters={FILTERS}
          total={query.data?.meta.total}
          menu={table.menu}
        />
        <DataTable
          caption="Investment History"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: rows }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowInvestment investment={row} next={next} />}
          narrowPlaceholder={<NarrowInvestmentPlaceholder />}
          failed="Your investments could not be loaded."
          skeletonRows={6}
          onOpen={(row) => url.set({ investment: row.id })}
          openLabel={(row) => `Details of ${row.plan.name ?? 'No Plan'} ${row.reference}`}
          empty={
            isFiltered(search, NO_FILTER) ? (
              <NoMatches title="No investments found" cleared={NO_FILTER} />
            ) : (
              <EmptyInvestments />
            )
          }
        />
        <Pagination
          pages={rows === undefined ? 1 : (query.data?.meta.pages ?? 1)}
          rows={query.isPlaceholderData ? undefined : query.data?.investments}
        />
      </Card>
      <MyInvestmentPanel
        id={search.get('investment')}
        onClose={() => url.set({ investment: null })}
      />
    </>
  )
}

function EmptyInvestments() {
  return (
    <EmptyState
      title="No investments found"
      text="Choose a plan to open your first investment."
      action={
        <ButtonLink to={NEW} look="primary">
          New Investment
        </ButtonLink>
      }
    />
  )
}
