import type { login, ResponseOf } from '@cairn/gateway-contracts'
import { type FormEvent, useState } from 'react'

import {
  getErrorCode,
  getErrorMessage,
  getFieldErrors,
  getRetryAfterSeconds,
} from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { useCountdown } from '../../shared/ui/countdown.ts'
import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PasswordInput } from '../../shared/ui/password-input.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { PasskeyLogin } from '../passkeys/index.ts'
import type { SignedIn } from '../sessions/index.ts'
import { useLogin } from './queries.ts'

const NO_ANSWER = 'No response received from the server.'

export type PasswordProved = { answer: ResponseOf<typeof login>; password: string }

type LoginFormProps = {
  knownEmail: string | null
  onProved: (proved: PasswordProved) => void
  onUnverified: (email: string) => void
  /**
   * The form calls this function after a login with a passkey. Such a login needs no further step.
   */
  onEntered: (user: SignedIn) => void
}

export function LoginForm({ knownEmail, onProved, onUnverified, onEntered }: LoginFormProps) {
  const [email, setEmail] = useState(knownEmail ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const login = useLogin()
  const served = getFieldErrors(login.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    login.mutate(
      { email, password, remember },
      {
        onSuccess: (answer) => onProved({ answer, password }),
        onError: (error) => {
          if (getErrorCode(error) === 'EMAIL_NOT_VERIFIED') onUnverified(email)
        },
      },
    )
  }
  return (
    <>
      {login.isError && (
        <Notice tone="error">
          {getErrorMessage(login.error, NO_ANSWER)}
          <RetryCountdown error={login.error} />
        </Notice>
      )}
      <form onSubmit={submit} className="grid gap-5">
        <Field label="Email" error={served.email}>
          {(ids) => (
            <Input
              {...ids}
              type="email"
              name="email"
              autoComplete="username"
              required
              readOnly={knownEmail !== null}
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
      <PasskeyLogin remember={remember} onEntered={onEntered} />
    </>
  )
}

/**
 * If the server sent a waiting time, shows the remaining time until the next attempt as a
 * countdown.
 */
function RetryCountdown({ error }: { error: Error }) {
  const seconds = getRetryAfterSeconds(error)
  return seconds === null ? null : <Countdown key={error.message} seconds={seconds} />
}

function Countdown({ seconds }: { seconds: number }) {
  const [left] = useCountdown(seconds)
  return (
    <span className="tabular">
      {left === 0 ? ' You can try again now.' : ` Try again in ${left} s.`}
    </span>
  )
}
