import { type FormEvent, useState } from 'react'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { DemoMailNotice } from '../settings/index.ts'
import { useForgotPassword } from './queries.ts'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const forgot = useForgotPassword()
  const title = usePageTitle()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    forgot.mutate(email)
  }
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h1 className="font-semibold font-serif text-28">{title}</h1>
        <p className="text-14 text-muted">
          Enter the email address of your account. We will send you a link to set a new password.
        </p>
      </div>
      {forgot.isSuccess && (
        <Notice tone="success">
          If there is an account for <strong className="break-all">{forgot.variables}</strong>, we
          are sending a link to this address. The link can be used once, within{' '}
          {forgot.data.linkMinutes} minutes.
        </Notice>
      )}
      {forgot.isError && (
        <Notice tone="error">
          {getErrorMessage(forgot.error, 'The link could not be sent. Please try again.')}
        </Notice>
      )}
      <form onSubmit={submit} className="grid gap-5">
        <Field label="Email" error={getFieldErrors(forgot.error).email}>
          {(ids) => (
            <Input
              {...ids}
              type="email"
              name="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" size="large" wide pending={forgot.isPending}>
          {forgot.isSuccess ? 'Send again' : 'Send the link'}
        </Button>
      </form>
      {forgot.isSuccess && <DemoMailNotice />}
      <p className="text-14 text-muted">
        Withdrawals may be paused for a while after you set a new password. This protects your money
        if another person can read your email.
      </p>
      <TextLink to="/users/login" className="justify-self-start text-14">
        Back to the login
      </TextLink>
    </div>
  )
}
