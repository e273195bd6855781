import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { EmailPreview } from '../../shared/ui/email-preview.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { useForgetEntries } from '../../shared/ui/unsaved-entries.tsx'
import { ChangeReason, toReason, WaitingChanges } from '../changes/index.ts'
import { type MailTemplate, type MailText, useTemplateActions } from './queries.ts'

/** Edits one template, with a preview of the mail. */
export function TemplateEditor({ template }: { template: MailTemplate }) {
  const { save, reset, preview, test } = useTemplateActions(template.kind)
  const [reason, setReason] = useState('')
  const forgetEntries = useForgetEntries()
  const form = useForm<MailText>({
    defaultValues: { subject: template.subject, body: template.body },
  })
  const { register, handleSubmit, getValues } = form
  const { isDirty } = form.formState
  const error = save.error ?? preview.error ?? reset.error ?? test.error
  const served = { ...getFieldErrors(preview.error), ...getFieldErrors(save.error) }
  const showSaved = (text: MailText) => {
    form.reset(text)
    setReason('')
    forgetEntries()
  }
  const submit = handleSubmit((text) =>
    save.mutate(
      { ...text, ...toReason(reason) },
      {
        onSuccess: () => {
          showSaved(text)
          notifySuccess('The template is saved.')
        },
      },
    ),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Field label="Subject" error={served.subject}>
        {(ids) => <Input {...ids} maxLength={200} {...register('subject')} />}
      </Field>
      <Field
        label="Body"
        hint="A blank line ends a paragraph, “- Label: text” is a line of a table, “# text” is a heading, and “[Label]({{siteUrl}}/path)” is a button."
        error={served.body}
      >
        {(ids) => <Textarea {...ids} rows={12} maxLength={5000} {...register('body')} />}
      </Field>
      <details className="text-14">
        <summary className="cursor-pointer py-0.5 font-medium">Placeholders</summary>
        <ul className="mt-2 grid gap-1">
          {template.placeholders.map(({ name, sample, isRequired }) => (
            <li key={name}>
              <code>{`{{${name}}}`}</code> such as {sample}
              {isRequired && <span className="text-muted">, required</span>}
            </li>
          ))}
        </ul>
      </details>
      {(isDirty || template.isEdited) && (
        <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      )}
      <ActFailure error={error} fallback="The template could not be saved." />
      <WaitingChanges kind="mail-template" target={template.kind} />
      <div className="flex flex-wrap gap-2">
        <Button pending={preview.isPending} onClick={() => preview.mutate(getValues())}>
          Preview
        </Button>
        <Button
          pending={test.isPending}
          disabled={isDirty}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: ({ sentTo }) => notifySuccess(`A test email is being sent to ${sentTo}.`),
            })
          }
        >
          Send test email
        </Button>
        {template.isEdited && (
          <Button
            pending={reset.isPending}
            onClick={() =>
              reset.mutate(toReason(reason), {
                onSuccess: ({ template: { subject, body } }) => showSaved({ subject, body }),
              })
            }
          >
            Restore default text
          </Button>
        )}
        <Button
          type="submit"
          look="primary"
          className="ml-auto"
          pending={save.isPending}
          disabled={!isDirty}
        >
          Save
        </Button>
      </div>
      {preview.data !== undefined && <EmailPreview {...preview.data.preview} />}
    </form>
  )
}
