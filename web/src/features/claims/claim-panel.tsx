import { useForm } from 'react-hook-form'
import { toast } from 'sonner'

import { fieldErrorsOf, messageOf } from '../../shared/api/failure.ts'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Textarea } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { type AdminClaim, useApproveClaim, useStateClaim } from './queries.ts'

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
      <Allowed permission="claims.write">
        <StatementForm claim={claim} onDone={onDone} />
      </Allowed>
    </div>
  )
}

function Approval({ claim }: { claim: AdminClaim }) {
  const approve = useApproveClaim(claim.key)
  const canApprove = useHasPermission()('claims.write')
  if (claim.statedAt === null) return null
  return (
    <div className="grid gap-3 rounded-card bg-sunken p-4 text-14">
      <p>
        Stated by {claim.statedBy?.name ?? 'Unknown'},{' '}
        <DateText at={claim.statedAt} format="moment" />.{' '}
        {claim.approvedAt === null ? (
          'Another administrator has to approve it.'
        ) : (
          <>
            Approved by {claim.approvedBy?.name ?? 'Unknown'},{' '}
            <DateText at={claim.approvedAt} format="moment" />.
          </>
        )}
      </p>
      {approve.isError && (
        <Notice tone="error">{messageOf(approve.error, 'The statement was not approved.')}</Notice>
      )}
      {claim.approvedAt === null && canApprove && (
        <Button
          size="small"
          look="primary"
          className="justify-self-start"
          pending={approve.isPending}
          onClick={() => approve.mutate(undefined, { onSuccess: () => toast.success('Approved.') })}
        >
          Approve statement
        </Button>
      )}
    </div>
  )
}

/** Asks for the facts that this kind of claim needs. Empty fields are left out of the statement. */
function StatementForm({ claim, onDone }: PanelProps) {
  const save = useStateClaim(claim.key)
  const statedValueOf = (name: FieldName) => claim.statement?.[name] ?? ''
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: {
      person: statedValueOf('person'),
      qualification: statedValueOf('qualification'),
      regulator: statedValueOf('regulator'),
      licenceNumber: statedValueOf('licenceNumber'),
      registerUrl: statedValueOf('registerUrl'),
      scope: statedValueOf('scope'),
      countries: statedValueOf('countries'),
      expiresAt: statedValueOf('expiresAt'),
      hours: statedValueOf('hours'),
      text: statedValueOf('text'),
    },
  })
  const served = fieldErrorsOf(save.error)
  const submit = handleSubmit((values) =>
    save.mutate(values, {
      onSuccess: () => {
        toast.success('Stated. Another administrator has to approve it.')
        onDone()
      },
    }),
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
      {save.isError && (
        <Notice tone="error">{messageOf(save.error, 'The statement was not saved.')}</Notice>
      )}
      <Button type="submit" pending={save.isPending} className="justify-self-end">
        Save statement
      </Button>
    </form>
  )
}
