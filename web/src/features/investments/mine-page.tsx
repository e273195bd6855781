import { exportMyInvestments } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'

import { thisMinute } from '../../dates/this-minute.ts'
import { toMinor } from '../../money/money.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CsvLink } from '../../ui/csv-link.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DateText } from '../../ui/date-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { MoneyText } from '../../ui/money-text.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { StatCard, StatGroup } from '../../ui/stat-card.tsx'
import type { Column } from '../../ui/table-column.tsx'
import { pageOf } from '../../url/page-of.ts'
import { useUrlState } from '../../url/url-state.ts'
import { statsQueries } from '../dashboard/queries.ts'
import { MyInvestmentPanel } from './detail-panel.tsx'
import { FILTERS, isFiltered, NO_FILTER, queryOf } from './filters.ts'
import { InvestmentBadge } from './investment-badge.tsx'
import { NewInvestment } from './new-investment.tsx'
import { type Investment, investmentQueries } from './queries.ts'

const NEW = '/manage/investor/investments?view=new'

const COLUMNS: ReadonlyArray<Column<Investment>> = [
  {
    id: 'plan',
    header: 'Plan',
    cell: (row) => <span className="font-medium">{row.plan.name ?? 'No Plan'}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  {
    id: 'profit',
    header: 'Profit',
    align: 'right',
    cell: (row) => <ProfitCell investment={row} />,
  },
  {
    id: 'start',
    header: 'Start Date/Time',
    cell: (row) => <DateText at={row.createdAt} format="moment" />,
  },
  {
    id: 'end',
    header: 'End Date/Time',
    cell: (row) => <DateText at={row.endedAt ?? row.expiryDate} format="moment" />,
  },
  { id: 'status', header: 'Status', cell: (row) => <InvestmentBadge status={row.status} /> },
]

export function MyInvestmentsPage() {
  const [search] = useSearchParams()
  return search.get('view') === 'new' ? <NewInvestment /> : <History />
}

function History() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = queryOf(search, thisMinute())
  const query = useQuery(investmentQueries.mine(filter))
  const stats = useQuery(statsQueries.mine())
  const figures = stats.data
  return (
    <>
      <PageHeader
        title="Investments"
        actions={
          <ButtonLink to={NEW} look="primary">
            <Plus aria-hidden="true" className="size-4" />
            New Investment
          </ButtonLink>
        }
      />
      <StatGroup label="Your investments">
        <StatCard
          label="Total Profit"
          value={figures === undefined ? null : { money: toMinor(figures.total_profit) }}
          isLoading={stats.isPending}
        />
        <StatCard
          label="Total Investments"
          value={figures === undefined ? null : { count: figures.total_investment }}
          isLoading={stats.isPending}
        />
        <StatCard
          label="Total Invested"
          value={figures === undefined ? null : { money: toMinor(figures.total_amount) }}
          isLoading={stats.isPending}
        />
      </StatGroup>
      <Card>
        <CardHeader
          title="Investment History"
          action={<CsvLink endpoint={exportMyInvestments} query={filter} />}
        />
        <FilterBar
          label="Search your investments"
          placeholder="Search by plan, reference or amount"
          filters={FILTERS}
          total={query.data?.meta.total}
        />
        <DataTable
          caption="Investment History"
          columns={COLUMNS}
          query={{ ...query, data: query.data?.investments }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowInvestment investment={row} />}
          failed="Your investments could not be loaded."
          onOpen={(row) => url.set({ investment: row.id })}
          openLabel={(row) => `Details of ${row.plan.name ?? 'No Plan'} ${row.reference}`}
          empty={
            isFiltered(search) ? (
              <NothingMatches onClear={() => url.set(NO_FILTER)} />
            ) : (
              <NothingYet />
            )
          }
        />
        <Pagination
          page={pageOf(search)}
          pages={query.data?.meta.pages ?? 1}
          onPage={(next) => url.set({ page: next === 1 ? null : String(next) })}
        />
      </Card>
      <MyInvestmentPanel
        id={search.get('investment')}
        onClose={() => url.set({ investment: null })}
      />
    </>
  )
}

function NothingYet() {
  return (
    <EmptyState
      title="No investments found"
      text="Choose a plan to open your first one."
      action={
        <ButtonLink to={NEW} look="primary">
          New Investment
        </ButtonLink>
      }
    />
  )
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No investments found"
      text="Try adjusting your search or filter criteria"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    />
  )
}

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

function NarrowInvestment({ investment }: { investment: Investment }) {
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
