import type { PlanRequest } from '@cairn/gateway-contracts'
import { computeAnnualPercent, isLossMaking } from '@cairn/gateway-contracts/annual-rate'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getErrorCode, getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input, Select, Textarea } from '../../shared/ui/inputs.tsx'
import { MoneyInput } from '../../shared/ui/money-input.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { adminSettingsQueries } from '../settings/index.ts'
import { type AdminPlan, useArchivePlan, useSavePlan } from './admin-queries.ts'
import { PlanConflict } from './plan-conflict.tsx'
import { type PlanValues, toPlanValues } from './plan-values.ts'
import { TermsPreview } from './terms-preview.tsx'
import { toRateTerms } from './typed-terms.ts'

export function PlanEditor({ plan, onDone }: { plan: AdminPlan | null; onDone: () => void }) {
  const save = useSavePlan()
  const [reason, setReason] = useState('')
  // The plan from which the values in the form come. The save refers to its version.
  const [seen, setSeen] = useState(plan)
  const { register, handleSubmit, watch, reset } = useForm<PlanValues>({
    defaultValues: toPlanValues(plan),
  })
  const served = getFieldErrors(save.error)
  const typed = watch()
  const isWarned = useIsRateTooHigh(typed)
  const isChanged = getErrorCode(save.error) === 'TERMS_CHANGED'
  const submit = handleSubmit((form) =>
    save.mutate(
      { seen, form: { ...form, ...toReason(reason) } satisfies PlanRequest },
      {
        onSuccess: () => {
          notifySuccess(plan === null ? 'Plan created.' : 'Plan updated.')
          onDone()
        },
      },
    ),
  )
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field label="Name" optional error={served.name}>
        {(ids) => <Input {...ids} maxLength={120} {...register('name')} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Duration" error={served.planDuration}>
          {(ids) => <Input {...ids} inputMode="numeric" required {...register('planDuration')} />}
        </Field>
        <Field label="Unit" error={served.timingParameter}>
          {(ids) => (
            <Select {...ids} {...register('timingParameter')}>
              <option value="days">days</option>
              <option value="hours">hours</option>
            </Select>
          )}
        </Field>
        <Field label="Minimum deposit" error={served.minDeposit}>
          {(ids) => <MoneyInput {...ids} required {...register('minDeposit')} />}
        </Field>
        <Field label="Maximum deposit" optional error={served.maxDeposit}>
          {(ids) => <MoneyInput {...ids} {...register('maxDeposit')} />}
        </Field>
        <Field label="Percentage" hint="Profit of the whole term" error={served.percentage}>
          {(ids) => <Input {...ids} inputMode="decimal" required {...register('percentage')} />}
        </Field>
        <Field
          label="Referral bonus"
          hint="Percent of the principal"
          optional
          error={served.referalBonus}
        >
          {(ids) => <Input {...ids} inputMode="decimal" {...register('referalBonus')} />}
        </Field>
      </div>
      <Checkbox label="The principal is returned at the end" {...register('returnPrincipal')} />
      <TermsPreview typed={typed} />
      {isWarned && (
        <Field
          label="Source of the return"
          hint="Stored with the plan; an administrator who must approve the plan reads it first."
          error={served.sourceOfReturn}
        >
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              maxLength={1000}
              required
              {...register('sourceOfReturn', { shouldUnregister: true })}
            />
          )}
        </Field>
      )}
      <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      {isChanged && seen !== null ? (
        <PlanConflict
          planId={seen.id}
          typed={typed}
          onChoose={(saved, options) => {
            reset(toPlanValues(saved), options)
            setSeen(saved)
            save.reset()
          }}
        />
      ) : (
        <ActFailure error={save.error} fallback="The plan could not be saved." />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {seen !== null && <Archive plan={seen} reason={reason} onDone={onDone} />}
        <Button type="submit" look="primary" className="ml-auto" pending={save.isPending}>
          {plan === null ? 'Create plan' : 'Save plan'}
        </Button>
      </div>
    </form>
  )
}

/**
 * Tells whether the annual rate of the plan is above the limit in the settings. Above the limit,
 * the editor asks for the source of the return.
 */
function useIsRateTooHigh(typed: PlanValues): boolean {
  const settings = useQuery(adminSettingsQueries.readSettings()).data?.settings
  const terms = toRateTerms(typed)
  // A plan with which investors lose money has no annual rate; the preview warns of the loss.
  if (settings === undefined || terms === null || isLossMaking(terms)) return false
  return computeAnnualPercent(terms) > BigInt(settings.payment.annualRateWarning)
}

type ArchiveProps = { plan: AdminPlan; reason: string; onDone: () => void }

function Archive({ plan, reason, onDone }: ArchiveProps) {
  return (
    <ConfirmStep
      label="Delete"
      text="The plan is no longer on offer. Running investments keep their terms."
      confirmLabel="Delete the plan"
      fallback="The plan could not be deleted."
      action={useArchivePlan(plan, toReason(reason))}
      onDone={onDone}
    />
  )
}
