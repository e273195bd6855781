import { useForm } from 'react-hook-form'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input, Textarea } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { type Faq, type FaqValues, useDeleteFaq, useSaveFaq } from './admin-queries.ts'

export function FaqEditor({ faq, onDone }: { faq: Faq | null; onDone: () => void }) {
  const save = useSaveFaq(faq?.id ?? null)
  const { register, handleSubmit } = useForm<FaqValues>({
    defaultValues: {
      question: faq?.question ?? '',
      answer: faq?.answer ?? '',
      position: String(faq?.position ?? ''),
      displayStatus: faq?.displayStatus ?? true,
    },
  })
  const served = getFieldErrors(save.error)
  const submit = handleSubmit((values) =>
    save.mutate(values, {
      onSuccess: () => {
        notifySuccess(faq === null ? 'Question added.' : 'Question updated.')
        onDone()
      },
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Field label="Question" error={served.question}>
        {(ids) => <Input {...ids} maxLength={300} {...register('question')} />}
      </Field>
      <Field label="Answer" error={served.answer}>
        {(ids) => <Textarea {...ids} rows={7} maxLength={5000} {...register('answer')} />}
      </Field>
      <Field
        label="Position"
        hint="Lower numbers come first; a question without a number is last."
        optional
        error={served.position}
      >
        {(ids) => <Input {...ids} inputMode="numeric" {...register('position')} />}
      </Field>
      <Checkbox label="Visible on the public pages" {...register('displayStatus')} />
      {save.isError && (
        <Notice tone="error">
          {getErrorMessage(save.error, 'The question could not be saved.')}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {faq !== null && <Delete faq={faq} onDone={onDone} />}
        <Button type="submit" look="primary" className="ml-auto" pending={save.isPending}>
          {faq === null ? 'Add question' : 'Save question'}
        </Button>
      </div>
    </form>
  )
}

function Delete({ faq, onDone }: { faq: Faq; onDone: () => void }) {
  return (
    <ConfirmStep
      label="Delete"
      text="The question is removed from the public pages and deleted."
      confirmLabel="Delete the question"
      fallback="The question could not be deleted."
      action={useDeleteFaq(faq.id)}
      onDone={() => {
        notifySuccess('Question deleted.')
        onDone()
      }}
    />
  )
}
