import { exportPlans } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { WaitingChanges } from '../changes/index.ts'
import { type AdminPlan, adminPlanQueries } from './admin-queries.ts'
import { formatTerm, getPlanName } from './payout.ts'
import { PlanEditor } from './plan-editor.tsx'
import { PlanFacts } from './plan-facts.tsx'

const COLUMNS: ReadonlyArray<Column<AdminPlan>> = [
  {
    id: 'name',
    header: 'Plan',
    placeholder: 'w-40',
    renderCell: (row) => (
      <span className="grid justify-items-start gap-1">
        <span className="wrap-anywhere min-w-32 font-medium">{getPlanName(row)}</span>
        <PlanMark plan={row} />
      </span>
    ),
  },
  {
    id: 'percentage',
    header: 'Profit of the term',
    align: 'right',
    renderCell: (row) => formatPercent(row.percentage),
  },
  {
    id: 'term',
    header: 'Duration',
    renderCell: (row) => <span className="whitespace-nowrap">{formatTerm(row)}</span>,
  },
  {
    id: 'bounds',
    header: 'Investment',
    renderCell: (row) => <span className="block min-w-24">{formatBounds(row)}</span>,
  },
  {
    id: 'bonus',
    header: 'Referral bonus',
    align: 'right',
    renderCell: (row) => formatPercent(row.referalBonus),
  },
  {
    id: 'principal',
    header: 'Principal',
    info: 'principal',
    renderCell: (row) => (row.returnPrincipal ? 'Returned' : 'Not returned'),
  },
]

const SHOWN = [
  ['offered', 'On offer'],
  ['archived', 'Archived'],
] as const
type Shown = (typeof SHOWN)[number][0]

function getPlanState({ isArchived }: AdminPlan): Shown {
  return isArchived ? 'archived' : 'offered'
}

export function PlansPage() {
  const query = useQuery(adminPlanQueries.listPlans())
  const [search] = useSearchParams()
  const url = useUrlState()
  const shown = SHOWN.find(([name]) => name === search.get('show'))?.[0] ?? 'offered'
  const [edited, setEdited] = useState<AdminPlan | 'new' | null>(null)
  const canEdit = useHasPermission()('plans.write')
  const create = canEdit ? (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Create plan
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        above={{ to: '/manage/admin/dashboard', label: 'Dashboard' }}
        text="Each edit is a new version. Running investments keep the terms they were opened with."
        actions={create}
      />
      <WaitingChanges kind="plan" />
      <Card>
        <CardHeader
          title="Plans"
          action={
            <span className="flex items-center gap-2">
              <Select
                aria-label="Filter plans"
                className="w-52"
                value={shown}
                onChange={(event) => url.set({ show: event.target.value })}
              >
                {SHOWN.map(([name, words]) => (
                  <option key={name} value={name}>
                    {words}
                  </option>
                ))}
              </Select>
              <CsvLink endpoint={exportPlans} query={{ show: shown }} />
            </span>
          }
        />
        <DataTable
          caption="Plans"
          columns={COLUMNS}
          query={{ ...query, data: query.data?.filter((plan) => getPlanState(plan) === shown) }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowPlan plan={row} />}
          failed="The plans could not be loaded."
          onOpen={setEdited}
          openLabel={(row) => (row.isArchived || !canEdit ? 'Details' : 'Edit')}
          empty={
            shown === 'offered' ? (
              <EmptyState title="No plans yet" action={create} />
            ) : (
              <EmptyState title="No archived plans" />
            )
          }
        />
      </Card>
      <Dialog
        open={edited !== null}
        onOpenChange={(isOpen) => !isOpen && setEdited(null)}
        title={getPanelTitle(edited, canEdit)}
      >
        {edited !== null &&
          (edited !== 'new' && (edited.isArchived || !canEdit) ? (
            <PlanFacts plan={edited} />
          ) : (
            <PlanEditor plan={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
          ))}
      </Dialog>
    </>
  )
}

function getPanelTitle(edited: AdminPlan | 'new' | null, canEdit: boolean): string {
  if (edited === null || edited === 'new') return 'Create plan'
  return edited.isArchived || !canEdit ? getPlanName(edited) : `Edit ${getPlanName(edited)}`
}

function PlanMark({ plan }: { plan: AdminPlan }) {
  const rate =
    plan.annualRate === null
      ? 'Investors lose money'
      : `${plan.annualRate.toLocaleString('en-US')}% a year`
  if (plan.annualRate === null) return <Badge tone="declined" icon={TriangleAlert} word={rate} />
  if (!plan.isRateWarned) return null
  if (plan.source?.text)
    return <Badge tone="info" icon={CircleCheck} word={`${rate}, source given`} />
  return <Badge tone="pending" icon={TriangleAlert} word={`${rate}, no source given`} />
}

function formatBounds({ minDeposit, maxDeposit }: AdminPlan): string {
  const min = formatMoneyBriefly(toMinor(minDeposit))
  if (maxDeposit === null) return `${min} or more`
  return `${min} to ${formatMoneyBriefly(toMinor(maxDeposit))}`
}

function NarrowPlan({ plan }: { plan: AdminPlan }) {
  return (
    <span className="grid grid-cols-1 gap-1">
      <span className="flex justify-between gap-3">
        <span className="font-medium">{getPlanName(plan)}</span>
        <span className="tabular">{formatPercent(plan.percentage)}</span>
      </span>
      <span className="text-12 text-muted">
        {formatTerm(plan)}, {formatBounds(plan)}, principal{' '}
        {plan.returnPrincipal ? 'returned' : 'not returned'}
      </span>
      <span>
        <PlanMark plan={plan} />
      </span>
    </span>
  )
}
