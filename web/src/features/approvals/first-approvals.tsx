import {
  exportAdjustments,
  exportApprovals,
  type listApprovals,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import {
  ADJUSTMENT_COLUMNS,
  type Adjustment,
  AdjustmentDecision,
  adjustmentQueries,
  NarrowAdjustment,
} from '../adjustments/index.ts'
import { AmountCell, ownerOf, TypeCell, transactionQueries } from '../transactions/index.ts'

type ApprovalRow = ResponseOf<typeof listApprovals>['transactions'][number]

const COLUMNS: ReadonlyArray<Column<ApprovalRow>> = [
  {
    id: 'type',
    header: 'Transaction',
    cell: ({ transaction }) => (
      <TypeCell transaction={transaction} note={ownerOf(transaction).name} />
    ),
  },
  {
    id: 'since',
    header: 'Requested',
    cell: ({ transaction }) => <DateText at={transaction.createdAt} format="relative" />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ transaction }) => <AmountCell transaction={transaction} />,
  },
  {
    id: 'first',
    header: 'Approvals 1/2',
    cell: ({ firstApprovedBy }) => firstApprovedBy?.name ?? 'Unknown',
  },
  { id: 'act', header: 'You', cell: (row) => <Verdict row={row} /> },
]

/** Lists the requests that need a second administrator, and the proposed changes. */
export function FirstApprovals() {
  const approvals = useQuery(transactionQueries.approvals())
  const adjustments = useQuery(adjustmentQueries.list())
  const [openedId, setOpenedId] = useState<string | null>(null)
  const opened = adjustments.data?.find(({ id }) => id === openedId) ?? null
  const canApplyRow = (row: Adjustment) =>
    approvals.data?.adjustments.find(({ adjustment }) => adjustment.id === row.id)?.canApprove ??
    true
  return (
    <>
      <Card>
        <CardHeader
          title="Waiting for second approval"
          action={<CsvLink endpoint={exportApprovals} what="pending approvals" />}
        />
        <DataTable
          caption="Waiting for second approval"
          columns={COLUMNS}
          query={{ ...approvals, data: approvals.data?.transactions }}
          keyOf={({ transaction }) => transaction.id}
          narrow={(row) => (
            <span className="grid gap-1">
              <span className="flex items-center justify-between gap-3">
                <TypeCell transaction={row.transaction} note={ownerOf(row.transaction).name} />
                <AmountCell transaction={row.transaction} />
              </span>
              <span className="text-12 text-muted">
                First approved by {row.firstApprovedBy?.name ?? 'Unknown'}. <Verdict row={row} />
              </span>
            </span>
          )}
          failed="The approvals could not be loaded."
          empty={<EmptyState title="No pending approvals" />}
        />
      </Card>
      <Card>
        <CardHeader
          title="Adjustments"
          action={<CsvLink endpoint={exportAdjustments} what="adjustments" />}
        />
        <DataTable
          caption="Adjustments"
          columns={ADJUSTMENT_COLUMNS}
          query={adjustments}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowAdjustment adjustment={row} />}
          failed="The adjustments could not be loaded."
          onOpen={(row) => setOpenedId(row.id)}
          openLabel={(row) => `Details of ${row.reference}`}
          empty={
            <EmptyState
              title="No adjustments yet"
              text="A correction of a wallet is proposed on the page of its user."
            />
          }
        />
      </Card>
      <Dialog
        open={opened !== null}
        onOpenChange={(isOpen) => !isOpen && setOpenedId(null)}
        title={opened === null ? '' : `Adjustment ${opened.reference}`}
      >
        {opened !== null && (
          <AdjustmentDecision
            adjustment={opened}
            canApply={canApplyRow(opened)}
            onDone={() => setOpenedId(null)}
          />
        )}
      </Dialog>
    </>
  )
}

function Verdict({ row: { canApprove, transaction } }: { row: ApprovalRow }) {
  if (!canApprove) return <span className="text-muted">You gave the first</span>
  // An approved transaction is listed when its reversal waits for approval.
  const action = transaction.status === 'success' ? 'decline' : 'approve'
  return (
    <TextLink to={`/manage/admin/transactions?transaction=${transaction.id}&action=${action}`}>
      Review
    </TextLink>
  )
}
