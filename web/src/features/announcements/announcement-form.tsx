import { ANNOUNCEMENT_KINDS } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { describeAudience, KIND_NAMES } from './describe-audience.ts'
import { type AnnouncementContent, type Audience, useAnnouncementActions } from './queries.ts'
import { SendStep } from './send-step.tsx'

type AnnouncementFormProps = { audiences: readonly Audience[]; onDone: () => void }

/** Writes an announcement. A second step shows the email and its recipients before it is sent. */
export function AnnouncementForm({ audiences, onDone }: AnnouncementFormProps) {
  const { preview, send } = useAnnouncementActions()
  const [written, setWritten] = useState<AnnouncementContent | null>(null)
  const { register, handleSubmit, watch } = useForm<AnnouncementContent>({
    defaultValues: { kind: 'market-update', subject: '', text: '' },
  })
  const kind = watch('kind')
  const audience = audiences.find((one) => one.kind === kind)
  const served = getFieldErrors(preview.error)
  const showPreview = handleSubmit((content) =>
    preview.mutate(content, { onSuccess: () => setWritten(content) }),
  )
  const shown = written === null ? undefined : preview.data
  return (
    <>
      {written !== null && shown !== undefined && (
        <SendStep
          shown={shown}
          send={{
            isPending: send.isPending,
            error: send.error,
            start: (reason) =>
              send.mutate(
                { ...written, ...reason },
                {
                  onSuccess: ({ announcement: { recipients } }) => {
                    const who = formatCounted(recipients, 'person', 'people')
                    notifySuccess(`The announcement is being sent to ${who}.`)
                    onDone()
                  },
                },
              ),
          }}
          onBack={() => {
            send.reset()
            setWritten(null)
          }}
        />
      )}
      {/* The form stays mounted, so that its dialog still asks before it discards the text. */}
      <form
        hidden={shown !== undefined}
        onSubmit={(event) => void showPreview(event)}
        noValidate
        className="grid gap-4"
      >
        <Field
          label="Kind"
          hint={audience === undefined ? undefined : describeAudience(audience)}
          error={served.kind}
        >
          {(ids) => (
            <Select {...ids} {...register('kind')}>
              {ANNOUNCEMENT_KINDS.map((name) => (
                <option key={name} value={name}>
                  {KIND_NAMES[name]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Subject" error={served.subject}>
          {(ids) => <Input {...ids} maxLength={150} {...register('subject')} />}
        </Field>
        <Field
          label="Text"
          hint={
            kind === 'promotional-offer'
              ? 'Plain text; the email ends with “You can lose all the money you invest.” and a link to unsubscribe.'
              : 'Plain text; the email ends with a link to unsubscribe.'
          }
          error={served.text}
        >
          {(ids) => <Textarea {...ids} rows={12} maxLength={5000} {...register('text')} />}
        </Field>
        {Object.keys(served).length === 0 && (
          <ActFailure error={preview.error} fallback="The email could not be shown." />
        )}
        <Button
          type="submit"
          look="primary"
          className="justify-self-end"
          pending={preview.isPending}
        >
          Continue
        </Button>
      </form>
    </>
  )
}
