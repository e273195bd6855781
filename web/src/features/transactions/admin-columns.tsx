import type { MouseEvent } from 'react'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { PendingFacts, ProofMark } from './pending-facts.tsx'
import type { Transaction } from './queries.ts'
import { RiskMarks } from './risk-marks.tsx'
import { AmountCell, StatusBadge, TypeCell } from './transaction-cells.tsx'
import { describePurpose, getOwner } from './transaction-labels.ts'

export type OpenAction = (id: string, action: 'approve' | 'decline') => void

export function buildAdminColumns(open: OpenAction): ReadonlyArray<Column<Transaction>> {
  return [
    {
      id: 'type',
      header: 'Transaction',
      renderCell: (row) => (
        <TypeCell
          transaction={row}
          title={describePurpose(row)}
          mark={<ProofMark transaction={row} />}
          note={row.reference}
        />
      ),
    },
    { id: 'user', header: 'User', renderCell: (row) => <OwnerCell transaction={row} /> },
    {
      id: 'amount',
      header: 'Amount',
      sort: 'amount',
      align: 'right',
      renderCell: (row) => <AmountCell transaction={row} />,
    },
    {
      id: 'date',
      header: 'Date',
      sort: 'createdAt',
      renderCell: (row) => (
        <span className="grid">
          <DateText at={row.createdAt} format="day" />
          <span className="text-12 text-muted">
            <DateText at={row.createdAt} format={row.status === 'pending' ? 'relative' : 'time'} />
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      renderCell: (row) => (
        // The second line uses the padding of the cell, so that all rows have one height.
        <span className="-my-1 grid justify-items-start gap-0.5">
          <StatusBadge transaction={row} viewer="admin" />
          <RiskMarks flags={row.flags} />
          {row.isApprovedOnce && (
            <span className="text-12 text-muted">
              {row.status === 'pending' ? '1 of 2 approvals' : 'Reversal, 1 of 2 approvals'}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      placeholder: 'w-44',
      renderCell: (row) => <RowActions transaction={row} open={open} />,
    },
  ]
}

function OwnerCell({ transaction }: { transaction: Transaction }) {
  const { name, email } = getOwner(transaction)
  return (
    <span className="grid min-w-32 max-w-56">
      <span className="truncate font-medium">{name}</span>
      <span className="truncate text-12 text-muted">{email}</span>
    </span>
  )
}

type RowActionsProps = {
  transaction: Transaction
  open: OpenAction
  /** True if the buttons have the size for a finger. */
  isLarge?: boolean
}

/** The buttons of a pending request. */
export function RowActions({ transaction, open, isLarge = false }: RowActionsProps) {
  const hasPermission = useHasPermission()
  if (transaction.status !== 'pending') return null
  if (transaction.type === 'transfer') {
    if (!hasPermission('approvals.read')) return null
    // An administrator other than the author approves an adjustment on the approvals page. This
    // list only links to that page.
    return (
      <TextLink to="/manage/admin/approvals" onClick={(event) => event.stopPropagation()}>
        Open approvals
      </TextLink>
    )
  }
  if (!hasPermission('transactions.decide')) return null
  const size = isLarge ? 'touch' : 'small'
  const choose = (action: 'approve' | 'decline') => (event: MouseEvent) => {
    // Without this call, the click would also reach the row. The row would then open the details
    // without the action.
    event.stopPropagation()
    open(transaction.id, action)
  }
  return (
    <span className={isLarge ? 'inline-flex gap-3' : 'inline-flex gap-2'}>
      <Button size={size} onClick={choose('approve')}>
        Approve
      </Button>
      <Button size={size} onClick={choose('decline')}>
        Decline
      </Button>
    </span>
  )
}

export function NarrowAdminTransaction({ transaction }: { transaction: Transaction }) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-center justify-between gap-3">
        <TypeCell
          transaction={transaction}
          title={describePurpose(transaction)}
          note={transaction.reference}
        />
        <AmountCell transaction={transaction} />
      </span>
      <span className="flex items-center justify-between gap-3 text-12 text-muted">
        <span className="grid min-w-0 grid-cols-1 gap-y-1">
          <span className="min-w-0 truncate">{getOwner(transaction).name}</span>
          <DateText at={transaction.createdAt} format="moment" />
        </span>
        <StatusBadge transaction={transaction} viewer="admin" />
      </span>
      <PendingFacts transaction={transaction} />
    </span>
  )
}
