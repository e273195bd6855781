import type { PlanRequest } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input, MoneyInput, Select, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { adminSettingsQueries } from '../settings/index.ts'
import { type AdminPlan, useArchivePlan, useSavePlan } from './admin-queries.ts'
import { computeAnnualPercent, isLossMaking } from './annual-rate.ts'
import { TermsPreview } from './terms-preview.tsx'

type EditorForm = {
  name: string
  planDuration: string
  timingParameter: 'hours' | 'days'
  minDeposit: string
  maxDeposit: string
  percentage: string
  referalBonus: string
  returnPrincipal: boolean
  sourceOfReturn: string
}

export function PlanEditor({ plan, onDone }: { plan: AdminPlan | null; onDone: () => void }) {
  const save = useSavePlan()
  const [reason, setReason] = useState('')
  const { register, handleSubmit, watch } = useForm<EditorForm>({
    defaultValues: toFormValues(plan),
  })
  const served = getFieldErrors(save.error)
  const typed = watch()
  const isWarned = useIsRateTooHigh(typed)
  const submit = handleSubmit((form) =>
    save.mutate(
      { id: plan?.id ?? null, form: { ...form, ...toReason(reason) } satisfies PlanRequest },
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
      <ActFailure error={save.error} fallback="The plan could not be saved." />
      <div className="flex flex-wrap items-center gap-2">
        {plan !== null && <Archive plan={plan} reason={reason} onDone={onDone} />}
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
function useIsRateTooHigh(typed: EditorForm): boolean {
  const settings = useQuery(adminSettingsQueries.readSettings()).data?.settings
  const annual = computeAnnualPercent(typed)
  // A plan with which investors lose money has no annual rate; the preview warns of the loss.
  if (settings === undefined || annual === null || isLossMaking(typed)) return false
  return annual > BigInt(settings.payment.annualRateWarning)
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

function toFormValues(plan: AdminPlan | null): EditorForm {
  return {
    name: plan?.name ?? '',
    planDuration: String(plan?.planDuration ?? ''),
    timingParameter: plan?.timingParameter ?? 'days',
    minDeposit: String(plan?.minDeposit ?? ''),
    maxDeposit: String(plan?.maxDeposit ?? ''),
    percentage: String(plan?.percentage ?? ''),
    referalBonus: String(plan?.referalBonus ?? ''),
    returnPrincipal: plan?.returnPrincipal ?? true,
    sourceOfReturn: plan?.source?.text ?? '',
  }
}
