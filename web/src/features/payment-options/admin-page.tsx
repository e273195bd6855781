import { exportPaymentOptions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { VisibilityBadge } from '../../shared/ui/visibility-badge.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { OptionEditor } from './option-editor.tsx'
import { OptionIcon } from './option-icon.tsx'
import { type PaymentOption, paymentOptionQueries } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<PaymentOption>> = [
  {
    id: 'type',
    header: 'Type',
    renderCell: (row) => (
      <span className="flex items-center gap-3">
        <OptionIcon option={row} />
        <span className="whitespace-nowrap font-medium">{row.payOption}</span>
      </span>
    ),
  },
  {
    id: 'bank',
    header: 'Bank or network',
    renderCell: (row) => <span className="wrap-anywhere block min-w-32">{row.bank}</span>,
  },
  {
    id: 'account',
    header: 'Account or address',
    renderCell: (row) => (
      <span className="block min-w-32 break-all font-mono">{row.accountNumber}</span>
    ),
  },
  {
    id: 'shown',
    header: 'Status',
    renderCell: (row) => <VisibilityBadge isShown={row.displayStatus} />,
  },
]

export function PaymentOptionsPage() {
  const query = useQuery(paymentOptionQueries.listOptions())
  const [edited, setEdited] = useState<PaymentOption | 'new' | null>(null)
  const canEdit = useHasPermission()('paymentOptions.write')
  const add = canEdit ? (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Add payment option
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        above={{ to: '/manage/admin/dashboard', label: 'Dashboard' }}
        text="Accounts that investors pay into. Investors do not see hidden options."
        actions={add}
      />
      <WaitingChanges kind="payment-option" />
      <Card>
        <CardHeader title="Payment Options" action={<CsvLink endpoint={exportPaymentOptions} />} />
        <DataTable
          caption="Payment Options"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowOption option={row} />}
          failed="Failed to load payment options. Please try again later."
          onOpen={canEdit ? setEdited : undefined}
          openLabel={() => 'Edit'}
          empty={<EmptyState title="No payment options yet" action={add} />}
        />
      </Card>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={edited === 'new' || edited === null ? 'Add payment option' : `Edit ${edited.bank}`}
      >
        {edited !== null && (
          <OptionEditor option={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
        )}
      </Dialog>
    </>
  )
}

function NarrowOption({ option }: { option: PaymentOption }) {
  return (
    <span className="flex items-center gap-3">
      <OptionIcon option={option} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="grid min-w-0 grow basis-32">
          <span className="truncate font-medium">{option.bank}</span>
          <span className="break-all font-mono text-12 text-muted">{option.accountNumber}</span>
        </span>
        <VisibilityBadge isShown={option.displayStatus} />
      </span>
    </span>
  )
}
