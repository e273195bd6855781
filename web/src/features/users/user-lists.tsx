import { exportAudit, exportInvestments, exportTransactions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { type AuditEntry, auditLogQueries, describeEntry } from '../audit-log/index.ts'
import { type Investment, InvestmentBadge, investmentQueries } from '../investments/index.ts'
import {
  AmountCell,
  describePurpose,
  getStatusWord,
  StatusBadge,
  type Transaction,
  TypeCell,
  transactionQueries,
} from '../transactions/index.ts'
import type { User } from './queries.ts'

const ROWS_SHOWN = 25

const TRANSACTIONS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'type',
    header: 'Transaction',
    renderCell: (row) => <TypeCell transaction={row} title={describePurpose(row)} />,
  },
  {
    id: 'date',
    header: 'Date',
    renderCell: (row) => <DateText at={row.createdAt} format="moment" />,
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

export function UserTransactions({ user }: { user: User }) {
  const navigate = useNavigate()
  const query = useQuery(
    transactionQueries.listAllTransactions({ user: user.id, limit: ROWS_SHOWN }),
  )
  const search = new URLSearchParams({ user: user.id })
  return (
    <Card>
      <ListHeader title="Transactions">
        <TextLink to={`/manage/admin/transactions?${search}`}>View all</TextLink>
        <CsvLink endpoint={exportTransactions} query={{ user: user.id }} what="transactions" />
      </ListHeader>
      <DataTable
        caption="Transactions"
        columns={TRANSACTIONS}
        query={{ ...query, data: query.data?.transactions }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="flex items-center justify-between gap-3">
            <TypeCell
              transaction={row}
              title={describePurpose(row)}
              note={
                <>
                  <DateText at={row.createdAt} format="moment" />
                  {row.status !== 'success' && `, ${getStatusWord(row)}`}
                </>
              }
            />
            <AmountCell transaction={row} />
          </span>
        )}
        failed="The transactions could not be loaded."
        onOpen={(row) =>
          void navigate(`/manage/admin/transactions?${search}&transaction=${row.id}`)
        }
        openLabel={(row) => `Details of ${row.reference}`}
        empty={<EmptyState title="No transactions yet" />}
      />
    </Card>
  )
}

const INVESTMENTS: ReadonlyArray<Column<Investment>> = [
  { id: 'plan', header: 'Plan', renderCell: (row) => row.plan.name ?? 'No Plan' },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} />,
  },
  {
    id: 'profit',
    header: 'Profit',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.profit)} />,
  },
  {
    id: 'ends',
    header: 'Ends',
    renderCell: (row) => <DateText at={row.endedAt ?? row.expiryDate} format="day" />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <InvestmentBadge status={row.status} /> },
]

export function UserInvestments({ user }: { user: User }) {
  const navigate = useNavigate()
  const query = useQuery(investmentQueries.listAllInvestments({ user: user.id, limit: ROWS_SHOWN }))
  return (
    <Card>
      <ListHeader title="Investments">
        <CsvLink endpoint={exportInvestments} query={{ user: user.id }} what="investments" />
      </ListHeader>
      <DataTable
        caption="Investments"
        columns={INVESTMENTS}
        query={{ ...query, data: query.data?.investments }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="flex items-center justify-between gap-3">
            <span className="grid">
              {row.plan.name ?? 'No Plan'}
              <span className="text-12 text-muted">
                {row.status === 'active' ? 'Ends ' : 'Ended '}
                <DateText at={row.endedAt ?? row.expiryDate} format="day" />
              </span>
            </span>
            <MoneyText minor={toMinor(row.amount)} />
            <InvestmentBadge status={row.status} />
          </span>
        )}
        failed="The investments could not be loaded."
        onOpen={(row) => void navigate(`/manage/admin/investments?investment=${row.id}`)}
        openLabel={(row) => `Details of ${row.reference}`}
        empty={<EmptyState title="No investments yet" />}
      />
    </Card>
  )
}

/**
 * Describes an action as a sentence without a subject. The user whom this page shows did all
 * actions in the list.
 */
function describeAct(entry: AuditEntry): string {
  const sentence = describeEntry(entry)
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const ACTIVITY: ReadonlyArray<Column<AuditEntry>> = [
  { id: 'action', header: 'Action', renderCell: (row) => describeAct(row) },
  { id: 'at', header: 'Time', renderCell: (row) => <DateText at={row.at} format="moment" /> },
  {
    id: 'ip',
    header: 'IP address',
    renderCell: (row) => <span className="tabular">{row.ip}</span>,
  },
]

/** Lists the logins and the actions of this account. */
export function UserActivity({ user }: { user: User }) {
  const query = useQuery(auditLogQueries.listEntries({ actor: user.id, limit: ROWS_SHOWN }))
  return (
    <Card>
      <ListHeader title="Activity">
        <TextLink to={`/manage/admin/audit?actor=${user.id}`}>View all in the audit log</TextLink>
        <CsvLink endpoint={exportAudit} query={{ actor: user.id }} what="activity" />
      </ListHeader>
      <DataTable
        caption="Activity"
        columns={ACTIVITY}
        query={{ ...query, data: query.data?.entries }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="grid">
            <span>{describeAct(row)}</span>
            <span className="text-12 text-muted">
              <DateText at={row.at} format="moment" />, {row.ip}
            </span>
          </span>
        )}
        failed="The activity could not be loaded."
        empty={<EmptyState title="No activity yet" />}
      />
    </Card>
  )
}

/** The title and the links of a list. They are above the rows, which have no fixed number. */
function ListHeader({ title, children }: { title: string; children: ReactNode }) {
  return (
    <CardHeader
      title={title}
      action={<span className="flex flex-wrap items-center gap-4 text-14">{children}</span>}
    />
  )
}
