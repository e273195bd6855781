import { exportInvestments } from '@cairn/gateway-contracts'
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
import { NoMatches } from '../../shared/ui/no-matches.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { isFiltered } from '../../shared/url/filtered.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { ADMIN_COLUMNS, NarrowAdminInvestment } from './admin-columns.tsx'
import { AdminInvestmentPanel } from './admin-panel.tsx'
import { FILTERS, NO_FILTER, readInvestmentQuery } from './filters.ts'
import { investmentQueries } from './queries.ts'

export function InvestmentsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readInvestmentQuery(search, useReaderClock())
  const query = useQuery(investmentQueries.listAllInvestments(filter))
  const table = useTable('investments', ADMIN_COLUMNS)
  const meta = query.data?.meta
  const totals = meta?.totals
  const hasFilter = isFiltered(search, NO_FILTER)
  const getNote = (unfiltered: string) => (hasFilter ? 'Of the filtered investments' : unfiltered)
  return (
    <>
      <PageHeader text="Investments of all users, running and ended." />
      <StatGroup label="Filtered investments">
        <StatCard
          label="Total Invested"
          value={totals === undefined ? null : { money: toMinor(totals.invested) }}
          isLoading={query.isPending}
          note={getNote('Running and ended')}
        />
        <StatCard
          label="Total Profit"
          value={totals === undefined ? null : { money: toMinor(totals.profit) }}
          isLoading={query.isPending}
          note={getNote('Accrued since the start')}
        />
        <StatCard
          label="Active Investments"
          value={totals === undefined ? null : { count: totals.active }}
          isLoading={query.isPending}
          note={getNote('Running now')}
        />
      </StatGroup>
      <Card>
        <CardHeader
          title="All investments"
          action={<CsvLink endpoint={exportInvestments} query={filter} />}
        />
        <FilterBar
          label="Search investments"
          searched="plan, reference, name or email"
          filters={FILTERS}
          total={meta?.total}
          menu={table.menu}
        />
        <DataTable
          caption="Investments"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: query.data?.investments }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowAdminInvestment investment={row} />}
          failed="The investments could not be loaded."
          skeletonRows={10}
          onOpen={(row) => url.set({ investment: row.id })}
          openLabel={(row) => `Details of ${row.reference}`}
          empty={
            hasFilter ? (
              <NoMatches title="No investments found" cleared={NO_FILTER} />
            ) : (
              <EmptyState
                title="No investments yet"
                text="Investors can invest in the plans on offer."
                action={
                  <Allowed permission="plans.read">
                    <ButtonLink to="/manage/admin/plans">Manage Plans</ButtonLink>
                  </Allowed>
                }
              />
            )
          }
        />
        <Pagination
          pages={meta?.pages ?? 1}
          rows={query.isPlaceholderData ? undefined : query.data?.investments}
        />
      </Card>
      <AdminInvestmentPanel
        id={search.get('investment')}
        onClose={() => url.set({ investment: null })}
      />
    </>
  )
}
