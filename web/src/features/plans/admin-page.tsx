import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { formatMoneyBriefly, toMinor } from '../../money/money.ts'
import { formatPercent } from '../../money/percent.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Column } from '../../ui/table-column.tsx'
import { planNameOf, termOf } from './payout.ts'
import { PlanEditor } from './plan-editor.tsx'
import { type Plan, planQueries } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<Plan>> = [
  {
    id: 'name',
    header: 'Plan',
    cell: (row) => <span className="font-medium">{planNameOf(row)}</span>,
  },
  {
    id: 'percentage',
    header: 'Profit of the term',
    align: 'right',
    cell: (row) => formatPercent(row.percentage),
  },
  { id: 'term', header: 'Duration', cell: termOf },
  { id: 'bounds', header: 'Investment', cell: boundsOf },
  {
    id: 'bonus',
    header: 'Referral bonus',
    align: 'right',
    cell: (row) => formatPercent(row.referalBonus),
  },
  {
    id: 'principal',
    header: 'Principal',
    cell: (row) => (row.returnPrincipal ? 'Returned' : 'Not returned'),
  },
]

export function PlansPage() {
  const query = useQuery(planQueries.list())
  const [edited, setEdited] = useState<Plan | 'new' | null>(null)
  const create = (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Create Plan
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Manage Plans"
        text="Each edit is a new version. Running investments keep the terms they were opened with."
        actions={create}
      />
      <Card>
        <CardHeader title="Plans" />
        <DataTable
          caption="Plans"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowPlan plan={row} />}
          failed="The plans could not be loaded."
          onOpen={setEdited}
          openLabel={() => 'Edit'}
          empty={<EmptyState title="No plans yet" action={create} />}
        />
      </Card>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={edited === 'new' || edited === null ? 'Create Plan' : `Edit ${planNameOf(edited)}`}
      >
        {edited !== null && (
          <PlanEditor plan={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
        )}
      </Dialog>
    </>
  )
}

function boundsOf({ minDeposit, maxDeposit }: Plan): string {
  const min = formatMoneyBriefly(toMinor(minDeposit))
  if (maxDeposit === null) return `${min} or more`
  return `${min} to ${formatMoneyBriefly(toMinor(maxDeposit))}`
}

function NarrowPlan({ plan }: { plan: Plan }) {
  return (
    <span className="grid grid-cols-1 gap-1">
      <span className="flex justify-between gap-3">
        <span className="font-medium">{planNameOf(plan)}</span>
        <span className="tabular">{formatPercent(plan.percentage)}</span>
      </span>
      <span className="text-12 text-muted">
        {termOf(plan)}, {boundsOf(plan)}, principal{' '}
        {plan.returnPrincipal ? 'returned' : 'not returned'}
      </span>
    </span>
  )
}
