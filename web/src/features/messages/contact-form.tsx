import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Textarea } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/
const CHARACTERS_MIN = 10
const CHARACTERS_MAX = 5_000

type Message = { name: string; email: string; message: string; website: string }

export function ContactForm() {
  const send = useMutation({
    mutationFn: async (body: Message) => (await import('./send-message.ts')).sendMessage(body),
  })
  const { register, handleSubmit, formState, reset } = useForm<Message>({
    defaultValues: { name: '', email: '', message: '', website: '' },
  })
  const served = getFieldErrors(send.error)
  const { errors } = formState
  const submit = handleSubmit((form) => send.mutate(form, { onSuccess: () => reset() }))
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="relative grid max-w-2xl gap-5"
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message ?? served.name}>
          {(ids) => (
            <Input
              {...ids}
              autoComplete="name"
              maxLength={120}
              {...register('name', { required: 'Name is required' })}
            />
          )}
        </Field>
        <Field label="Email" error={errors.email?.message ?? served.email}>
          {(ids) => (
            <Input
              {...ids}
              type="email"
              autoComplete="email"
              {...register('email', {
                required: 'Email is required',
                pattern: { value: EMAIL, message: 'Invalid email address' },
              })}
            />
          )}
        </Field>
      </div>
      <Field label="Message" error={errors.message?.message ?? served.message}>
        {(ids) => (
          <Textarea
            {...ids}
            rows={6}
            maxLength={CHARACTERS_MAX}
            {...register('message', {
              required: 'Message is required',
              minLength: {
                value: CHARACTERS_MIN,
                message: 'Please write at least ten characters',
              },
            })}
          />
        )}
      </Field>
      {/* This field is hidden from people, so that only a bot can fill it in. */}
      <div aria-hidden="true" className="absolute -left-[9999px] h-0 overflow-hidden">
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" tabIndex={-1} autoComplete="off" {...register('website')} />
      </div>
      {send.isError && (
        <Notice tone="error">
          {getErrorMessage(send.error, 'The message could not be sent. Please try again.')}
        </Notice>
      )}
      <div role="status">
        {send.isSuccess && (
          <Notice tone="success">
            Your message was received and is waiting for an administrator.
          </Notice>
        )}
      </div>
      <Button type="submit" look="primary" className="w-fit" pending={send.isPending}>
        Send Message
      </Button>
    </form>
  )
}
