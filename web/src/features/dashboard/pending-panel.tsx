import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable, type ListQuery } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { NarrowPlaceholder } from '../../shared/ui/table-skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import {
  AdminTransactionPanel,
  AmountCell,
  getOwner,
  getTransactionTitle,
  PendingFacts,
  Proof,
  RiskMarks,
  type Transaction,
  TypeCell,
} from '../transactions/index.ts'

const ROWS_SHOWN = 7

const COLUMNS: ReadonlyArray<Column<Transaction>> = [
  {
    id: 'type',
    header: 'Transaction',
    renderCell: (row) => <TypeCell transaction={row} note={getOwner(row).name} />,
  },
  {
    id: 'proof',
    header: 'Proof and warnings',
    renderCell: (row) => <ProofCell transaction={row} />,
  },
  {
    id: 'age',
    header: 'Waiting',
    renderCell: (row) => <DateText at={row.createdAt} format="age" />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <AmountCell transaction={row} />,
  },
]

type PanelProps = {
  transactions: readonly Transaction[] | undefined
  total: number | undefined
  query: Omit<ListQuery<Transaction>, 'data'>
}

/**
 * Lists the oldest pending requests and the number of all pending requests. Shows the opened
 * request beside the list. After the administrator has decided on this request, the panel opens the
 * next request.
 */
export function PendingPanel({ transactions, total, query }: PanelProps) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const canOpen = useHasPermission()('transactions.read')
  const shown = transactions?.slice(0, ROWS_SHOWN)
  const openedId = canOpen ? search.get('transaction') : null
  return (
    <Card className="flex grow flex-col">
      <CardHeader
        title="Pending Transactions"
        note={
          total === undefined || total === 0 ? undefined : (
            <span className="max-sm:hidden">{total} waiting</span>
          )
        }
        action={
          <TextLink
            to="/manage/admin/transactions?status=pending&sort=createdAt"
            className="text-14"
          >
            View All
          </TextLink>
        }
      />
      <DataTable
        caption="Pending Transactions"
        columns={COLUMNS}
        query={{ ...query, data: shown }}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="grid grid-cols-1 gap-1">
            <span className="flex items-center justify-between gap-3">
              <TypeCell transaction={row} note={getOwner(row).name} />
              <AmountCell transaction={row} />
            </span>
            {/* The line begins below the text of the line above, after the icon. */}
            <span className="pl-11">
              <PendingFacts transaction={row} />
            </span>
          </span>
        )}
        failed="The pending transactions could not be loaded."
        skeletonRows={ROWS_SHOWN}
        narrowPlaceholder={<NarrowPlaceholder className="h-14" />}
        hasChevrons={canOpen}
        onOpen={canOpen ? (row) => url.set({ transaction: row.id, action: null }) : undefined}
        openLabel={(row) => `Review ${getTransactionTitle(row)} ${row.reference}`}
        empty={<EmptyState title="No pending transactions" />}
      />
      <AdminTransactionPanel
        id={openedId}
        rows={shown}
        action={search.get('action')}
        isQueue
        onOpen={(id) => url.set({ transaction: id, action: null }, { replace: true })}
        onAction={(action) => url.set({ action }, { replace: true })}
        onClose={() => url.set({ transaction: null, action: null })}
      />
    </Card>
  )
}

/** Shows the payment proof and the warnings; a dash if the request has neither. */
function ProofCell({ transaction }: { transaction: Transaction }) {
  const { type, flags = [] } = transaction
  if (type !== 'deposit' && flags.length === 0) return <span className="text-muted">–</span>
  return (
    <span className="grid justify-items-start gap-0.5">
      <Proof transaction={transaction} />
      <RiskMarks flags={flags} />
    </span>
  )
}
