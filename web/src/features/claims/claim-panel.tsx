import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason, WaitingChanges } from '../changes/index.ts'
import { type AdminClaim, useStateClaim } from './queries.ts'

const FIELDS = [
  ['person', 'Name of the person', 'text'],
  ['qualification', 'Qualification', 'text'],
  ['regulator', 'Regulator', 'text'],
  ['licenceNumber', 'Licence number', 'text'],
  ['registerUrl', 'Address in the public register', 'url'],
  ['scope', 'Scope', 'text'],
  ['countries', 'Countries', 'text'],
  ['expiresAt', 'Valid until', 'date'],
  ['hours', 'Hours', 'text'],
] as const
type FieldName = (typeof FIELDS)[number][0] | 'text'
type Values = Record<FieldName, string>

type PanelProps = { claim: AdminClaim; onDone: () => void }

export function ClaimPanel({ claim, onDone }: PanelProps) {
  return (
    <div className="grid gap-6">
      <p className="text-14">{claim.rule}</p>
      {claim.evidence.length > 0 && (
        <FactList>
          {claim.evidence.map(({ label, value }) => (
            <Fact key={label} name={label}>
              {value}
            </Fact>
          ))}
        </FactList>
      )}
      <Approval claim={claim} />
      <WaitingChanges kind="claim" target={claim.key} />
      <Allowed permission="claims.write">
        <StatementForm claim={claim} onDone={onDone} />
      </Allowed>
    </div>
  )
}

function Approval({ claim }: { claim: AdminClaim }) {
  if (claim.statedAt === null || claim.approvedAt === null) return null
  return (
    <p className="rounded-card bg-sunken p-4 text-14">
      Stated by {claim.statedBy?.name ?? 'Unknown'},{' '}
      <DateText at={claim.statedAt} format="moment" />. Approved by{' '}
      {claim.approvedBy?.name ?? 'Unknown'}, <DateText at={claim.approvedAt} format="moment" />.
    </p>
  )
}

/**
 * Asks for the facts that this kind of claim needs. The statement does not contain empty fields.
 */
function StatementForm({ claim, onDone }: PanelProps) {
  const save = useStateClaim(claim.key)
  const [reason, setReason] = useState('')
  const getStatedValue = (name: FieldName) => claim.statement?.[name] ?? ''
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: {
      person: getStatedValue('person'),
      qualification: getStatedValue('qualification'),
      regulator: getStatedValue('regulator'),
      licenceNumber: getStatedValue('licenceNumber'),
      registerUrl: getStatedValue('registerUrl'),
      scope: getStatedValue('scope'),
      countries: getStatedValue('countries'),
      expiresAt: getStatedValue('expiresAt'),
      hours: getStatedValue('hours'),
      text: getStatedValue('text'),
    },
  })
  const served = getFieldErrors(save.error)
  const submit = handleSubmit((values) =>
    save.mutate(
      { ...values, ...toReason(reason) },
      {
        onSuccess: () => {
          notifySuccess('The statement is withdrawn.')
          onDone()
        },
      },
    ),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <h3 className="font-semibold text-14">Operator statement</h3>
      {FIELDS.map(([name, label, type]) => (
        <Field key={name} label={label} optional error={served[name]}>
          {(ids) => <Input {...ids} type={type} maxLength={300} {...register(name)} />}
        </Field>
      ))}
      <Field label="Statement" optional error={served.text}>
        {(ids) => <Textarea {...ids} rows={3} maxLength={500} {...register('text')} />}
      </Field>
      <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      <ActFailure error={save.error} fallback="The statement was not saved." />
      <Button type="submit" pending={save.isPending} className="justify-self-end">
        Save statement
      </Button>
    </form>
  )
}
