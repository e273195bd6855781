import { useQuery } from '@tanstack/react-query'

import { Button } from '../../shared/ui/button.tsx'
import { type ConflictRow, ConflictTable } from '../../shared/ui/conflict-table.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { type AdminPlan, adminPlanQueries } from './admin-queries.ts'
import { type PlanValues, toPlanValues } from './plan-values.ts'

const LABELS: Readonly<Record<keyof PlanValues, string>> = {
  name: 'Name',
  planDuration: 'Duration',
  timingParameter: 'Unit',
  minDeposit: 'Minimum deposit',
  maxDeposit: 'Maximum deposit',
  percentage: 'Percentage',
  referalBonus: 'Referral bonus',
  returnPrincipal: 'Principal returned',
  sourceOfReturn: 'Source of the return',
}

type PlanConflictProps = {
  planId: string
  typed: PlanValues
  /** Puts the saved values into the form; with `keepDirtyValues`, only where nothing was typed. */
  onChoose: (saved: AdminPlan, options: { keepDirtyValues: boolean }) => void
}

/** Says that another administrator has saved the plan, and asks which values to continue with. */
export function PlanConflict({ planId, typed, onChoose }: PlanConflictProps) {
  const { data = [], isFetching } = useQuery(adminPlanQueries.listPlans())
  const saved = data.find(({ id }) => id === planId)
  const rows = saved === undefined || isFetching ? null : listConflicts(saved, typed)
  if (saved !== undefined && rows?.length === 0) {
    // The answer to an earlier attempt can have been lost.
    return (
      <div className="grid gap-3">
        <Notice tone="info">The saved plan has the values of this form.</Notice>
        <Button onClick={() => onChoose(saved, { keepDirtyValues: false })}>Continue</Button>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <Notice tone="error">
        Another administrator has changed this plan. Nothing was saved. Choose the values to
        continue with.
      </Notice>
      {saved !== undefined && rows !== null && (
        <>
          <ConflictTable caption="Conflicting values of the plan" header="Value" rows={rows} />
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => onChoose(saved, { keepDirtyValues: false })}>
              Use saved plan
            </Button>
            <Button onClick={() => onChoose(saved, { keepDirtyValues: true })}>
              Keep my changes
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function listConflicts(saved: AdminPlan, typed: PlanValues): ConflictRow[] {
  const values = toPlanValues(saved)
  // The cast is safe because the labels have exactly these keys.
  const names = Object.keys(LABELS) as (keyof PlanValues)[]
  return names
    .filter((name) => typed[name] !== undefined && typed[name] !== values[name])
    .map((name) => ({
      name: LABELS[name],
      saved: describeValue(values[name]),
      yours: describeValue(typed[name]),
    }))
}

function describeValue(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === '' ? 'nothing' : value
}
