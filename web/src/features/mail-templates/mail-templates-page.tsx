import { exportMailTemplates } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { type MailTemplate, mailTemplateQueries } from './queries.ts'
import { TemplateEditor } from './template-editor.tsx'

const COLUMNS: ReadonlyArray<Column<MailTemplate>> = [
  {
    id: 'title',
    header: 'Email',
    renderCell: (row) => <span className="font-medium">{row.title}</span>,
  },
  { id: 'subject', header: 'Subject', renderCell: (row) => row.subject },
  {
    id: 'words',
    header: 'Text',
    renderCell: (row) => <UnbrokenText text={row.isEdited ? 'Edited' : 'Built in'} />,
  },
  {
    id: 'off',
    header: 'Optional',
    renderCell: (row) => (
      <UnbrokenText text={row.canBeSwitchedOff ? 'Yes, by each investor' : 'No'} />
    ),
  },
]

/** Shows a short text on one line. */
function UnbrokenText({ text }: { text: string }) {
  return <span className="whitespace-nowrap">{text}</span>
}

/** Lists the templates of all mails. */
export function MailTemplatesPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const query = useQuery(mailTemplateQueries.listTemplates())
  const canEdit = useHasPermission()('templates.write')
  const table = useTable('mailTemplates', COLUMNS, { hasViews: false })
  const opened = query.data?.find(({ kind }) => kind === search.get('mail')) ?? null
  return (
    <>
      <PageHeader text="Templates of the emails that the platform sends." />
      <Card>
        <CardHeader
          title="Email templates"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportMailTemplates} what="email templates" />
            </HeaderActions>
          }
        />
        <DataTable
          caption="Email templates"
          columns={table.columns}
          isCompact={table.isCompact}
          query={query}
          keyOf={(row) => row.kind}
          narrow={(row) => (
            <span className="grid">
              <span className="font-medium">{row.title}</span>
              <span className="truncate text-12 text-muted">{row.subject}</span>
            </span>
          )}
          failed="The templates could not be loaded."
          onOpen={canEdit ? (row) => url.set({ mail: row.kind }) : undefined}
          openLabel={() => 'Edit'}
          empty={<EmptyState title="No templates" />}
        />
      </Card>
      <SidePanel
        open={opened !== null && canEdit}
        onOpenChange={(isOpen) => !isOpen && url.set({ mail: null })}
        title={opened?.title ?? ''}
      >
        {opened !== null && <TemplateEditor key={opened.kind} template={opened} />}
      </SidePanel>
    </>
  )
}
