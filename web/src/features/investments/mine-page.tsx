import { exportMyInvestments } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'

import { toMinor } from '../../money/money.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CsvLink } from '../../ui/csv-link.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DateText } from '../../ui/date-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MoneyText } from '../../ui/money-text.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { StatCard, StatGroup } from '../../ui/stat-card.tsx'
import type { Column } from '../../ui/table-column.tsx'
import { pageOf } from '../../url/page-of.ts'
import { useUrlState } from '../../url/url-state.ts'
import { statsQueries } from '../dashboard/queries.ts'
import { MyInvestmentPanel } from './detail-panel.tsx'
import { InvestmentBadge } from './investment-badge.tsx'
import { NewInvestment } from './new-investment.tsx'
import { type Investment, investmentQueries } from './queries.ts'

const ROWS_PER_PAGE = 20
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
  const page = pageOf(search)
  const query = useQuery(investmentQueries.mine({ page, limit: ROWS_PER_PAGE }))
  const stats = useQuery(statsQueries.mine())
  const figures = stats.data
  const total = query.data?.meta.total
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
          note={total === undefined ? undefined : total === 1 ? '1 Record' : `${total} Records`}
          action={<CsvLink endpoint={exportMyInvestments} query={{}} />}
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
            <EmptyState
              title="No investments found"
              text="Choose a plan to open your first one."
              action={
                <ButtonLink to={NEW} look="primary">
                  New Investment
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
      <MyInvestmentPanel
        id={search.get('investment')}
        onClose={() => url.set({ investment: null })}
      />
    </>
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
