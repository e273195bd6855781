import type { Investment } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, CircleHelp, Layers, Wallet } from 'lucide-react'
import { Link } from 'react-router-dom'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { CoverageCard, NetFlowCard, statsQueries } from '../charts/index.ts'
import { InvestmentBadge } from '../investments/index.ts'
import { AmountCell, getTransactionTitle, type Transaction } from '../transactions/index.ts'
import { AdminFigures } from './admin-figures.tsx'
import { OperationsFigures } from './operations-figures.tsx'
import { PendingPanel } from './pending-panel.tsx'

const ROWS_SHOWN = 5

const TRANSACTION_COLUMNS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'user',
    header: 'User',
    cell: (row) => <Name>{row.user?.name ?? 'Unknown User'}</Name>,
  },
  { id: 'type', header: 'Type', cell: getTransactionTitle },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (row) => <AmountCell transaction={row} />,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    cell: (row) => <DateText at={row.createdAt} format="short" />,
  },
]

const INVESTMENT_COLUMNS: ReadonlyArray<Column<Investment>> = [
  {
    id: 'user',
    header: 'User',
    cell: (row) => <Name>{row.user?.name ?? 'Unknown'}</Name>,
  },
  { id: 'plan', header: 'Plan', cell: (row) => row.plan.name ?? 'N/A' },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  { id: 'status', header: 'Status', cell: (row) => <InvestmentBadge status={row.status} /> },
]

const ACTIONS = [
  { to: '/manage/admin/plans', label: 'Manage Plans', icon: Layers, permission: 'plans.read' },
  {
    to: '/manage/admin/payment_options',
    label: 'Payment Options',
    icon: Wallet,
    permission: 'paymentOptions.read',
  },
  {
    to: '/manage/admin/investments',
    label: 'Investments',
    icon: ChartNoAxesColumn,
    permission: 'investments.read',
  },
  { to: '/manage/admin/faq', label: 'Manage FAQ', icon: CircleHelp, permission: 'faqs.read' },
] as const

export function AdminDashboard() {
  const query = useQuery(statsQueries.admin())
  const { data, isError, refetch, isFetching } = query
  return (
    <>
      <PageHeader />
      {isError && (
        <FailedState
          message="The figures could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      <AdminFigures stats={data?.stats} isLoading={query.isPending} />
      <OperationsFigures
        oldestPending={data === undefined ? undefined : (data.pending_transactions[0] ?? null)}
        isLoading={query.isPending}
      />
      <div className="grid gap-6 lg:grid-cols-[1fr_20rem] lg:items-start">
        <PendingPanel
          transactions={data?.pending_transactions}
          total={data?.stats.pending_transactions}
          query={query}
        />
        <QuickActions />
      </div>
      <div className="grid gap-6 xl:grid-cols-2">
        <NetFlowCard />
        <CoverageCard />
      </div>
      <div className="grid gap-6 2xl:grid-cols-2 2xl:items-start">
        <Card>
          <CardHeader title="Recent Transactions" />
          <DataTable
            caption="Recent Transactions"
            columns={TRANSACTION_COLUMNS}
            query={{ ...query, data: data?.latest_transactions.slice(0, ROWS_SHOWN) }}
            keyOf={(row) => row.id}
            narrow={(row) => <NarrowRecent transaction={row} />}
            failed="The transactions could not be loaded."
            empty={<EmptyState title="No transactions yet" />}
          />
        </Card>
        <Card>
          <CardHeader title="Recent Investments" />
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

function Name({ children }: { children: string }) {
  return <span className="block max-w-36 truncate font-medium">{children}</span>
}

function QuickActions() {
  const hasPermission = useHasPermission()
  return (
    <Card>
      <CardHeader title="Quick Actions" />
      <ul className="grid gap-1 p-2">
        {ACTIONS.filter(({ permission }) => hasPermission(permission)).map(
          ({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-11 items-center gap-3 rounded-card px-3 text-14 hover:bg-sunken"
              >
                <Icon aria-hidden="true" className="size-5 text-accent" />
                {label}
              </Link>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}

function NarrowRecent({ transaction }: { transaction: Transaction }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{transaction.user?.name ?? 'Unknown User'}</span>
        <span className="text-12 text-muted">
          {getTransactionTitle(transaction)}, <DateText at={transaction.createdAt} format="short" />
        </span>
      </span>
      <AmountCell transaction={transaction} />
    </span>
  )
}

function NarrowInvestment({ investment }: { investment: Investment }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{investment.user?.name ?? 'Unknown'}</span>
        <span className="text-12 text-muted">
          {investment.plan.name ?? 'N/A'}, <MoneyText minor={toMinor(investment.amount)} />
        </span>
      </span>
      <InvestmentBadge status={investment.status} />
    </span>
  )
}
