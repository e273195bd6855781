import { ApiError } from '@cairn/gateway-contracts'
import { type FormEvent, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'

import { fieldErrorsOf, messageOf } from '../../api/failure.ts'
import { knownLoginMessage } from '../../session/login-messages.ts'
import { destinationAfterLogin } from '../../session/redirects.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Checkbox, Input } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { setPageTitle } from '../../ui/page-title.ts'
import { PasswordInput } from '../../ui/password-input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { rememberCodeStep } from '../registration/kept-registration.ts'
import { useLogin } from './queries.ts'

const NO_ANSWER = 'No response received from the server.'

export function LoginPage() {
  const [search] = useSearchParams()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const navigate = useNavigate()
  const login = useLogin()
  useEffect(() => setPageTitle('Login'), [])
  const served = fieldErrorsOf(login.error)
  const message = login.isPending
    ? null
    : login.isError
      ? messageOf(login.error, NO_ANSWER)
      : knownLoginMessage(search.get('message'))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    login.mutate(
      { email, password, remember },
      {
        onSuccess: ({ user }) => {
          if (user === undefined) return
          const destination = destinationAfterLogin(user.role, search.get('redirectTo'))
          void navigate(destination, { replace: true })
        },
        onError: (error) => {
          if (!(error instanceof ApiError) || error.code !== 'EMAIL_NOT_VERIFIED') return
          rememberCodeStep(email)
          void navigate('/users/register')
        },
      },
    )
  }
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h1 className="font-semibold font-serif text-28">Log in</h1>
        <p className="text-14 text-muted">Welcome back.</p>
      </div>
      {message !== null && <Notice tone="error">{message}</Notice>}
      <form onSubmit={submit} className="grid gap-5">
        <Field label="Email" error={served.email}>
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
        <Field label="Password" error={served.password}>
          {(ids) => (
            <PasswordInput
              {...ids}
              name="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Checkbox
            label="Remember me"
            checked={remember}
            onChange={(event) => setRemember(event.target.checked)}
          />
          <TextLink to="/users/forgotPassword" className="text-14">
            Forgot password?
          </TextLink>
        </div>
        <Button type="submit" look="primary" size="large" wide pending={login.isPending}>
          Login
        </Button>
      </form>
      <p className="text-14 text-muted">
        No account yet? <TextLink to="/users/register">Create an account</TextLink>
      </p>
    </div>
  )
}
