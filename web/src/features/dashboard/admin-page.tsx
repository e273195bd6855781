import type { getAdminStats, Investment, ResponseOf } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { NetFlowCard, statsQueries } from '../charts/index.ts'
import { InvestmentBadge } from '../investments/index.ts'
import { PromisesCard } from '../reserve/index.ts'
import { SystemState } from '../status/index.ts'
import {
  AmountCell,
  describePurpose,
  StatusBadge,
  type Transaction,
} from '../transactions/index.ts'
import { AdminFigures } from './admin-figures.tsx'
import { CashCard } from './cash-card.tsx'
import { OpenTasksCard } from './open-tasks-card.tsx'
import { PendingPanel } from './pending-panel.tsx'
import { QuickActions } from './quick-actions.tsx'

const ROWS_SHOWN = 5

const TRANSACTION_COLUMNS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'user',
    header: 'User',
    renderCell: (row) => <Name>{row.user?.name ?? 'Unknown User'}</Name>,
  },
  {
    id: 'type',
    header: 'Type',
    renderCell: (row) => (
      <span className="grid">
        {describePurpose(row)}
        <span className="text-12 text-muted">
          <DateText at={row.createdAt} format="short" />
        </span>
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <AmountCell transaction={row} />,
  },
  {
    id: 'status',
    header: 'Status',
    renderCell: (row) => <StatusBadge transaction={row} viewer="admin" />,
  },
]

const INVESTMENT_COLUMNS: ReadonlyArray<Column<Investment>> = [
  {
    id: 'user',
    header: 'User',
    renderCell: (row) => <Name>{row.user?.name ?? 'Unknown'}</Name>,
  },
  {
    id: 'plan',
    header: 'Plan',
    renderCell: (row) => (
      <>
        {row.plan.name ?? 'N/A'}
        <span className="block text-12 text-muted">
          <DateText at={row.createdAt} format="short" />
        </span>
      </>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <InvestmentBadge status={row.status} /> },
]

export function AdminDashboard() {
  const query = useQuery(statsQueries.readAdminStats())
  const { data, error, isError, refetch, isFetching } = query
  return (
    <>
      <PageHeader hasTimes isSharingWidth actions={<SystemState />} />
      {isError && (
        <FailedState
          message="The figures could not be loaded."
          error={error}
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      <OpenTasksCard
        tasks={data?.tasks}
        hasFailed={isError}
        oldestId={data?.pending_transactions[0]?.id}
      />
      <AdminFigures stats={data?.stats} isLoading={query.isPending} />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(22rem,1fr)]">
        <div className="max-xl:contents xl:flex xl:flex-col xl:gap-6">
          <PendingPanel
            transactions={data?.pending_transactions}
            total={data?.stats.pending_transactions}
            query={query}
          />
          <QuickActions />
        </div>
        <CashCard />
      </div>
      <div className="grid gap-6 xl:grid-cols-2">
        <NetFlowCard />
        <PromisesCard isNear />
      </div>
      <div className="grid gap-6 xl:grid-cols-2">
        <Card>
          <CardHeader
            title="Recent Transactions"
            note="Settled, without profit credits"
            action={
              <TextLink to="/manage/admin/transactions" className="text-14">
                View All
              </TextLink>
            }
          />
          <DataTable
            caption="Recent Transactions"
            columns={TRANSACTION_COLUMNS}
            query={{ ...query, data: data && listSettled(data).slice(0, ROWS_SHOWN) }}
            keyOf={(row) => row.id}
            narrow={(row) => <NarrowRecent transaction={row} />}
            failed="The transactions could not be loaded."
            empty={<EmptyState title="No settled transactions yet" />}
          />
        </Card>
        <Card>
          <CardHeader
            title="Recent Investments"
            action={
              <TextLink to="/manage/admin/investments" className="text-14">
                View All
              </TextLink>
            }
          />
          <DataTable
            caption="Recent Investments"
            columns={INVESTMENT_COLUMNS}
            query={{ ...query, data: data?.latest_investments.slice(0, ROWS_SHOWN) }}
            keyOf={(row) => row.id}
            narrow={(row) => <NarrowInvestment investment={row} />}
            failed="The investments could not be loaded."
            empty={<EmptyState title="No investments yet" />}
          />
        </Card>
      </div>
    </>
  )
}

/** A gateway of release 0.1.0 sends only the latest transactions, some of which may be pending. */
function listSettled({
  settled_transactions,
  latest_transactions,
}: ResponseOf<typeof getAdminStats>): readonly Transaction[] {
  return settled_transactions ?? latest_transactions.filter(({ status }) => status !== 'pending')
}

function Name({ children }: { children: string }) {
  return <span className="block max-w-36 truncate font-medium">{children}</span>
}

function NarrowRecent({ transaction }: { transaction: Transaction }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{transaction.user?.name ?? 'Unknown User'}</span>
        <span className="text-12 text-muted">
          {describePurpose(transaction)}, <DateText at={transaction.createdAt} format="short" />
        </span>
      </span>
      <span className="grid justify-items-end gap-0.5">
        <AmountCell transaction={transaction} />
        <StatusBadge transaction={transaction} viewer="admin" />
      </span>
    </span>
  )
}

function NarrowInvestment({ investment }: { investment: Investment }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{investment.user?.name ?? 'Unknown'}</span>
        <span className="text-12 text-muted">{investment.plan.name ?? 'N/A'}</span>
      </span>
      <span className="grid justify-items-end gap-0.5">
        <MoneyText minor={toMinor(investment.amount)} />
        <InvestmentBadge status={investment.status} />
      </span>
    </span>
  )
}
