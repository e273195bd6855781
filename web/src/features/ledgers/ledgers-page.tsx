import { formatCount, formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, DoorClosed, DoorOpen, Plus } from 'lucide-react'
import { useState } from 'react'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { NarrowPlaceholder } from '../../shared/ui/table-skeleton.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { AddLedgerForm } from './add-ledger-form.tsx'
import { describeAnswer, describeCopied } from './describe-ledger.ts'
import { OpenLedgerForm } from './open-ledger-form.tsx'
import { ledgerQueries, type Rules, type SiteLedger } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<SiteLedger>> = [
  {
    id: 'number',
    header: 'Number',
    renderCell: (row) => <span className="tabular">{row.number}</span>,
  },
  {
    id: 'name',
    header: 'Name',
    renderCell: (row) => <span className="wrap-anywhere font-medium">{row.name}</span>,
  },
  { id: 'state', header: 'State', renderCell: (row) => <AnswerBadge ledger={row} /> },
  {
    id: 'size',
    header: 'Events',
    align: 'right',
    renderCell: (row) => (
      <span className="tabular">{row.size === null ? 'Unknown' : formatCount(row.size)}</span>
    ),
  },
  {
    id: 'people',
    header: 'People',
    align: 'right',
    renderCell: (row) => <span className="tabular">{formatCount(row.people)}</span>,
  },
  { id: 'open', header: 'New people', renderCell: (row) => <OpenBadge ledger={row} /> },
  { id: 'copy', header: 'Plans and rules', renderCell: (row) => <CopyState ledger={row} /> },
]

/** Lists the ledgers of the site, adds one, and opens or closes one for new people. */
export function LedgersPage() {
  const query = useQuery(ledgerQueries.listLedgers())
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<SiteLedger | null>(null)
  const canEdit = useHasPermission()('settings.write')
  const add = canEdit ? (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Add ledger
    </Button>
  ) : undefined
  const problems = (query.data ?? []).flatMap(({ number, rules }) =>
    rules === null || rules.problem === null ? [] : [{ number, problem: rules.problem }],
  )
  return (
    <>
      <PageHeader
        text="Each person belongs to one ledger. A ledger has its own events, signatures and database."
        actions={add}
      />
      <WaitingChanges kind="ledger" />
      {problems.map(({ number, problem }) => (
        <Notice key={number} tone="error">
          Plans and rules are not copied to ledger {number}, so it gets no new people. {problem}.
        </Notice>
      ))}
      <Card>
        <CardHeader title="Ledgers" />
        <DataTable
          caption="Ledgers"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => String(row.number)}
          narrow={(row) => <NarrowLedger ledger={row} />}
          failed="The ledgers could not be loaded."
          skeletonRows={2}
          narrowPlaceholder={<NarrowPlaceholder className="h-22" />}
          onOpen={canEdit ? setEdited : undefined}
          hasChevrons={canEdit}
          openLabel={({ number, isOpen }) => `${isOpen ? 'Close' : 'Open'} ledger ${number}`}
          empty={<EmptyState title="No ledgers yet" action={add} />}
        />
      </Card>
      <Dialog open={isAdding} onOpenChange={setAdding} title="Add ledger">
        {isAdding && <AddLedgerForm onDone={() => setAdding(false)} />}
      </Dialog>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={edited === null ? 'Ledger' : `Ledger ${edited.number}: ${edited.name}`}
      >
        {edited !== null && <OpenLedgerForm ledger={edited} onDone={() => setEdited(null)} />}
      </Dialog>
    </>
  )
}

function NarrowLedger({ ledger }: { ledger: SiteLedger }) {
  const { number, name, size, people } = ledger
  return (
    <span className="grid gap-2">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="wrap-anywhere font-medium">
          {number}: {name}
        </span>
        <OpenBadge ledger={ledger} />
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <AnswerBadge ledger={ledger} />
        <span className="text-12 text-muted">
          {size === null ? 'Unknown number of events' : formatCounted(size, 'event')},{' '}
          {formatCounted(people, 'person', 'people')}
        </span>
      </span>
      <span className="grid gap-1">
        <span className="text-12 text-muted">Plans and rules</span>
        <CopyState ledger={ledger} />
      </span>
    </span>
  )
}

function AnswerBadge({ ledger }: { ledger: SiteLedger }) {
  const word = describeAnswer(ledger, Date.now())
  return ledger.size === null ? (
    <Badge tone="declined" icon={CircleX} word={word} />
  ) : (
    <Badge tone="success" icon={CircleCheck} word={word} />
  )
}

function OpenBadge({ ledger: { isOpen } }: { ledger: SiteLedger }) {
  return isOpen ? (
    <Badge tone="success" icon={DoorOpen} word="Open" />
  ) : (
    <Badge tone="neutral" icon={DoorClosed} word="Closed" />
  )
}

function CopyState({ ledger: { rules } }: { ledger: SiteLedger }) {
  if (rules === null) return <span className="text-14 text-muted">Defined here</span>
  return (
    <span className="grid justify-items-start gap-1">
      <CopyBadge rules={rules} />
      <span className="text-12 text-muted">{describeCopied(rules)}</span>
    </span>
  )
}

function CopyBadge({ rules: { isComplete, problem } }: { rules: Rules }) {
  if (problem !== null) return <Badge tone="declined" icon={CircleX} word="Stopped" />
  return isComplete ? (
    <Badge tone="success" icon={CircleCheck} word="Complete" />
  ) : (
    <Badge tone="pending" icon={Clock} word="Copying" />
  )
}
