import { exportFaqs } from '@cairn/gateway-contracts'
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
import { adminFaqQueries, type Faq } from './admin-queries.ts'
import { FaqEditor } from './faq-editor.tsx'

const COLUMNS: ReadonlyArray<Column<Faq>> = [
  {
    id: 'question',
    header: 'Question',
    renderCell: (row) => (
      <span className="wrap-anywhere grid min-w-40 max-w-2xl">
        <span className="font-medium">{row.question}</span>
        <span className="line-clamp-1 text-12 text-muted">{row.answer}</span>
      </span>
    ),
  },
  {
    id: 'position',
    header: 'Position',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.position}</span>,
  },
  {
    id: 'shown',
    header: 'Status',
    renderCell: (row) => <VisibilityBadge isShown={row.displayStatus} />,
  },
]

export function FaqAdminPage() {
  const query = useQuery(adminFaqQueries.listFaqs())
  const [edited, setEdited] = useState<Faq | 'new' | null>(null)
  const canEdit = useHasPermission()('faqs.write')
  const add = canEdit ? (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Add question
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        above={{ to: '/manage/admin/dashboard', label: 'Dashboard' }}
        text="The questions on the public pages, in the order in which they appear. The site adds two: about minimum amounts and fees, answered from the settings, and about the time of requests, answered from the ledger."
        actions={add}
      />
      <Card>
        <CardHeader title="Questions" action={<CsvLink endpoint={exportFaqs} />} />
        <DataTable
          caption="Questions"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => row.id}
          narrow={(row) => (
            <span className="grid gap-2">
              <span className="font-medium">{row.question}</span>
              <span>
                <VisibilityBadge isShown={row.displayStatus} />
              </span>
            </span>
          )}
          failed="The questions could not be loaded."
          onOpen={canEdit ? setEdited : undefined}
          openLabel={() => 'Edit'}
          empty={<EmptyState title="No questions yet" action={add} />}
        />
      </Card>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={edited === 'new' || edited === null ? 'Add question' : 'Edit question'}
      >
        {edited !== null && (
          <FaqEditor faq={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
        )}
      </Dialog>
    </>
  )
}
