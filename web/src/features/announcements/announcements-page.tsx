import { exportAnnouncements } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { AnnouncementForm } from './announcement-form.tsx'
import { KIND_NAMES } from './describe-audience.ts'
import { type Announcement, announcementQueries } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<Announcement>> = [
  {
    id: 'subject',
    header: 'Subject',
    renderCell: (row) => <span className="wrap-anywhere font-medium">{row.subject}</span>,
  },
  {
    id: 'kind',
    header: 'Kind',
    renderCell: (row) => <span className="whitespace-nowrap">{KIND_NAMES[row.kind]}</span>,
  },
  { id: 'by', header: 'Sent by', renderCell: getSender },
  {
    id: 'recipients',
    header: 'Recipients',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.recipients}</span>,
  },
  {
    id: 'at',
    header: 'Sent',
    renderCell: (row) => (
      <span className="whitespace-nowrap text-muted">
        <DateText at={row.sentAt} format="moment" />
      </span>
    ),
  },
]

type Opened = Announcement | 'new' | null

/** Lists the sent announcements, and sends a new one. */
export function AnnouncementsPage() {
  const query = useInfiniteQuery(announcementQueries.listAnnouncementPages())
  const announcements = query.data?.pages.flatMap((page) => page.announcements)
  const audiences = query.data?.pages[0]?.audiences
  const [opened, setOpened] = useState<Opened>(null)
  const canSend = useHasPermission()('templates.write')
  const add = canSend ? (
    <Button look="primary" disabled={audiences === undefined} onClick={() => setOpened('new')}>
      <Plus aria-hidden="true" className="size-4" />
      New announcement
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        text="Emails to the people who have switched on promotional offers or market updates."
        hasTimes
        actions={add}
      />
      <WaitingChanges kind="announcement" />
      <Card>
        <CardHeader
          title="Sent announcements"
          action={<CsvLink endpoint={exportAnnouncements} what="announcements" />}
        />
        <DataTable
          caption="Sent announcements"
          columns={COLUMNS}
          query={{ ...query, data: announcements }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowAnnouncement announcement={row} />}
          failed="The announcements could not be loaded."
          onOpen={setOpened}
          openLabel={() => 'Details'}
          empty={
            <EmptyState
              title="No announcements yet"
              text="An announcement goes only to people who asked for it."
            />
          }
        />
        <MoreRows query={query} label="Load older announcements" />
      </Card>
      <SidePanel
        open={opened !== null}
        onOpenChange={(isOpen) => !isOpen && setOpened(null)}
        title={getTitle(opened)}
      >
        {opened === 'new' && audiences !== undefined && (
          <AnnouncementForm audiences={audiences} onDone={() => setOpened(null)} />
        )}
        {opened !== null && opened !== 'new' && <AnnouncementText announcement={opened} />}
      </SidePanel>
    </>
  )
}

function getTitle(opened: Opened): string {
  if (opened === null) return ''
  return opened === 'new' ? 'New announcement' : opened.subject
}

function getSender({ sentBy }: Announcement): string {
  return sentBy?.name ?? 'A deleted administrator'
}

function NarrowAnnouncement({ announcement }: { announcement: Announcement }) {
  const { subject, kind, sentAt, recipients } = announcement
  return (
    <span className="grid min-w-0">
      <span className="wrap-anywhere font-medium">{subject}</span>
      <span className="text-12 text-muted">
        {KIND_NAMES[kind]}, {formatCounted(recipients, 'recipient')},{' '}
        <DateText at={sentAt} format="moment" />
      </span>
    </span>
  )
}

function AnnouncementText({ announcement }: { announcement: Announcement }) {
  return (
    <div className="grid gap-4 text-14">
      <NarrowAnnouncement announcement={announcement} />
      <p className="wrap-anywhere whitespace-pre-wrap">{announcement.text}</p>
      <p className="text-muted">Sent by {getSender(announcement)}.</p>
    </div>
  )
}
