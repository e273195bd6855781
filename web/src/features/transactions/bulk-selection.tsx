import { approveTransaction, declineTransaction } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { BulkDialog } from '../../shared/ui/bulk-dialog.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { type RowSelection, useRowSelection } from '../../shared/ui/row-selection.ts'
import { SelectionBar } from '../../shared/ui/selection-bar.tsx'
import { describeApproval, describeDecline, describeTotals } from './bulk-sentences.ts'
import type { Transaction, TransactionQuery } from './queries.ts'
import { getOwner, getTransactionTitle } from './transaction-labels.ts'

/**
 * Returns the selected rows of a list with this filter. Only pending deposits and withdrawals can be
 * selected.
 */
export function useDecidable(
  rows: readonly Transaction[] | undefined,
  filter: Pick<TransactionQuery, 'status' | 'type'>,
): RowSelection<Transaction> {
  const canDecide = useHasPermission()('transactions.decide')
  return useRowSelection({
    rows,
    isExpected:
      canDecide && (filter.status ?? 'pending') === 'pending' && filter.type !== 'transfer',
    getRowId: ({ id }) => id,
    isSelectable: ({ status, type }) => canDecide && status === 'pending' && type !== 'transfer',
  })
}

type Act = { verb: 'approve' | 'decline'; rows: readonly Transaction[] }

/** Approves or declines the selected transactions. */
export function BulkSelection({ selection }: { selection: RowSelection<Transaction> }) {
  const [act, setAct] = useState<Act | null>(null)
  const { rows } = selection
  return (
    <>
      <SelectionBar selection={selection} summary={describeTotals(rows)}>
        <Button size="small" look="primary" onClick={() => setAct({ verb: 'approve', rows })}>
          Approve selected
        </Button>
        <Button size="small" look="danger" onClick={() => setAct({ verb: 'decline', rows })}>
          Decline selected
        </Button>
      </SelectionBar>
      {act !== null && <DecisionDialog act={act} onClose={() => setAct(null)} />}
    </>
  )
}

function DecisionDialog({ act: { verb, rows }, onClose }: { act: Act; onClose: () => void }) {
  const queryClient = useQueryClient()
  const counted = formatCounted(rows.length, 'transaction')
  const shared = {
    title: `${verb === 'approve' ? 'Approve' : 'Decline'} ${counted}?`,
    items: rows.map((row) => ({
      id: row.id,
      label: `${getTransactionTitle(row)} ${row.reference}, ${getOwner(row).name}`,
      detail: formatMoney(toMinor(row.amount)),
    })),
    onEnd: () => invalidateMoney(queryClient),
    onClose,
  }
  if (verb === 'decline') {
    return (
      <BulkDialog
        {...shared}
        text={describeDecline(rows)}
        reasonHint="Each investor sees this reason."
        button={`Decline ${counted}`}
        look="danger"
        act={async (id, reason) => {
          await call(declineTransaction, { params: { id }, body: { reason } })
          return 'Declined'
        }}
        fallback="Failed to decline transaction"
      />
    )
  }
  return (
    <BulkDialog
      {...shared}
      text={describeApproval(rows)}
      button={`Approve ${counted}`}
      look="primary"
      act={async (id) => {
        const { transaction } = await call(approveTransaction, { params: { id }, body: {} })
        return transaction.status === 'success'
          ? 'Approved'
          : 'Approved once. A second administrator must also approve it.'
      }}
      fallback="Failed to approve transaction"
    />
  )
}
