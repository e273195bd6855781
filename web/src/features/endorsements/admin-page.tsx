import { exportEndorsements } from '@cairn/gateway-contracts'
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
import { type Endorsement, endorsementQueries } from './admin-queries.ts'
import { EndorsementEditor } from './endorsement-editor.tsx'

const KINDS = { testimonial: 'Testimonial', sponsor: 'Sponsor' } as const

const COLUMNS: ReadonlyArray<Column<Endorsement>> = [
  {
    id: 'name',
    header: 'Name',
    renderCell: (row) => (
      <span className="wrap-anywhere grid min-w-40 max-w-xl">
        <span className="font-medium">{row.name}</span>
        <span className="line-clamp-1 text-12 text-muted">{row.quote ?? row.role}</span>
      </span>
    ),
  },
  { id: 'kind', header: 'Kind', renderCell: (row) => KINDS[row.kind] },
  {
    id: 'consent',
    header: 'Consent',
    renderCell: (row) => <span className="line-clamp-1 max-w-xs">{row.consent}</span>,
  },
  { id: 'paid', header: 'Paid', renderCell: (row) => (row.isPaid ? 'Yes' : 'No') },
  {
    id: 'shown',
    header: 'Status',
    renderCell: (row) => <VisibilityBadge isShown={row.displayStatus} />,
  },
]

/** Lists the testimonials and sponsors of the public pages. */
export function EndorsementsPage() {
  const query = useQuery(endorsementQueries.listEndorsements())
  const [edited, setEdited] = useState<Endorsement | 'new' | null>(null)
  const canEdit = useHasPermission()('endorsements.write')
  const add = canEdit ? (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Add
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        text="Real people and companies who agreed to be named. Without entries, the public pages have no such section; a demo shows sample content there, with fictional names that are marked as samples."
        actions={add}
      />
      <Card>
        <CardHeader title="Entries" action={<CsvLink endpoint={exportEndorsements} />} />
        <DataTable
          caption="Testimonials and sponsors"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => row.id}
          narrow={(row) => (
            <span className="grid gap-2">
              <span className="font-medium">
                {row.name}, {KINDS[row.kind].toLowerCase()}
              </span>
              <span>
                <VisibilityBadge isShown={row.displayStatus} />
              </span>
            </span>
          )}
          failed="The entries could not be loaded."
          onOpen={canEdit ? setEdited : undefined}
          openLabel={() => 'Edit'}
          empty={<EmptyState title="No testimonials or sponsors yet" action={add} />}
        />
      </Card>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={edited === 'new' || edited === null ? 'Add an entry' : 'Edit the entry'}
      >
        {edited !== null && (
          <EndorsementEditor
            endorsement={edited === 'new' ? null : edited}
            onDone={() => setEdited(null)}
          />
        )}
      </Dialog>
    </>
  )
}
