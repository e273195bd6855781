import { useForm } from 'react-hook-form'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input, Select, Textarea } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import {
  type Endorsement,
  type EndorsementValues,
  useDeleteEndorsement,
  useSaveEndorsement,
} from './admin-queries.ts'

type EditorProps = { endorsement: Endorsement | null; onDone: () => void }

export function EndorsementEditor({ endorsement, onDone }: EditorProps) {
  const save = useSaveEndorsement(endorsement)
  const { register, handleSubmit, watch } = useForm<EndorsementValues>({
    defaultValues: {
      kind: endorsement?.kind ?? 'testimonial',
      name: endorsement?.name ?? '',
      role: endorsement?.role ?? '',
      quote: endorsement?.quote ?? '',
      consent: endorsement?.consent ?? '',
      isPaid: endorsement?.isPaid ?? false,
      position: String(endorsement?.position ?? ''),
      displayStatus: endorsement?.displayStatus ?? true,
    },
  })
  const served = getFieldErrors(save.error)
  const submit = handleSubmit((values) =>
    save.mutate(values, {
      onSuccess: () => {
        notifySuccess('Saved.')
        onDone()
      },
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Field label="Kind" error={served.kind}>
        {(ids) => (
          <Select {...ids} {...register('kind')}>
            <option value="testimonial">Testimonial</option>
            <option value="sponsor">Sponsor</option>
          </Select>
        )}
      </Field>
      <Field label="Name" error={served.name}>
        {(ids) => <Input {...ids} maxLength={120} {...register('name')} />}
      </Field>
      <Field label="Role" hint="For example: Investor since 2024." optional error={served.role}>
        {(ids) => <Input {...ids} maxLength={120} {...register('role')} />}
      </Field>
      {watch('kind') === 'testimonial' && (
        <Field label="Quote" hint="The exact words of the person." error={served.quote}>
          {(ids) => <Textarea {...ids} rows={4} maxLength={600} {...register('quote')} />}
        </Field>
      )}
      <Field
        label="Consent"
        hint="Where and when consent was given; not shown to visitors."
        error={served.consent}
      >
        {(ids) => <Textarea {...ids} rows={2} maxLength={500} {...register('consent')} />}
      </Field>
      <Checkbox
        label="Rewarded with money or another benefit. The page says so."
        {...register('isPaid')}
      />
      <Field
        label="Position"
        hint="Lower numbers come first; an entry without a number is last."
        optional
        error={served.position}
      >
        {(ids) => <Input {...ids} inputMode="numeric" {...register('position')} />}
      </Field>
      <Checkbox label="Visible on the public pages" {...register('displayStatus')} />
      {save.isError && (
        <Notice tone="error">{getErrorMessage(save.error, 'The entry could not be saved.')}</Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {endorsement !== null && <Delete endorsement={endorsement} onDone={onDone} />}
        <Button type="submit" look="primary" className="ml-auto" pending={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

function Delete({ endorsement, onDone }: { endorsement: Endorsement; onDone: () => void }) {
  return (
    <ConfirmStep
      label="Delete"
      text={`The entry of ${endorsement.name} is removed from the public pages and deleted.`}
      confirmLabel="Delete the entry"
      fallback="The entry could not be deleted."
      action={useDeleteEndorsement(endorsement.id)}
      onDone={() => {
        notifySuccess('Deleted.')
        onDone()
      }}
    />
  )
}
