import { ApiError, CODE_DIGITS } from '@cairn/gateway-contracts'
import { type FormEvent, useId, useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { CONFIRM_EMAIL } from '../../shared/session/login-messages.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CodeInput } from '../../shared/ui/code-input.tsx'
import { FieldError } from '../../shared/ui/field.tsx'
import { ResendCodeButton } from '../../shared/ui/resend-code-button.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { DemoMailNotice } from '../settings/index.ts'
import { useResendCode, useVerifyEmail } from './queries.ts'

type CodeStepProps = {
  email: string
  waitSeconds: number
  onVerified: () => void
  onRestart: () => void
}

export function CodeStep({ email, waitSeconds, onVerified, onRestart }: CodeStepProps) {
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const verify = useVerifyEmail()
  const resend = useResendCode()
  const errorId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length !== CODE_DIGITS) return setRefusal('Please enter the complete code.')
    verify.mutate(code, {
      onSuccess: onVerified,
      onError: (error) => {
        setRefusal(getErrorMessage(error, 'The code could not be checked. Please try again.'))
        setCode('')
      },
    })
  }
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <h1 className="font-semibold font-serif text-28">Verify Email</h1>
        <p className="text-16 text-muted">
          A four-digit code was sent to{' '}
          <strong className="break-all font-medium text-ink">{email || 'your email'}</strong>. It is
          valid for ten minutes.
        </p>
      </div>
      <form onSubmit={submit} className="grid gap-4">
        <CodeInput
          length={CODE_DIGITS}
          value={code}
          onChange={(next) => {
            setCode(next)
            if (next !== '') setRefusal(null)
          }}
          label="Four-digit code"
          invalid={refusal !== null}
          describedBy={errorId}
        />
        <div id={errorId} role="alert">
          {refusal !== null && <FieldError>{refusal}</FieldError>}
        </div>
        {(hasNoSignUp(verify.error) || hasNoSignUp(resend.error)) && (
          <div className="flex flex-wrap items-center gap-4 text-14">
            <Button onClick={onRestart}>Sign up again</Button>
            <TextLink to={`/users/login?${new URLSearchParams({ message: CONFIRM_EMAIL })}`}>
              Log in to get a new code
            </TextLink>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            look="primary"
            disabled={code.length !== CODE_DIGITS}
            pending={verify.isPending}
          >
            Verify
          </Button>
          <ResendCodeButton label="Resend email" action={resend} waitSeconds={waitSeconds} />
        </div>
      </form>
      <Tips onRestart={onRestart} isChecking={verify.isPending} />
    </div>
  )
}

/**
 * Tells whether this browser has no open sign-up: it lacks the cookie, or another sign-up with the
 * address has replaced this one. No code is accepted then.
 */
function hasNoSignUp(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

function Tips({ onRestart, isChecking }: { onRestart: () => void; isChecking: boolean }) {
  return (
    <div className="grid gap-3 border-line border-t pt-5 text-14 text-muted">
      <p className="font-medium text-ink">No email yet?</p>
      <ul className="grid list-disc gap-1 pl-5">
        <li>Check that the email address above is correct.</li>
        <li>Check your spam folder.</li>
        <li>Check that no firewall or filter blocks our email.</li>
      </ul>
      <Button className="w-fit" disabled={isChecking} onClick={onRestart}>
        Use another email
      </Button>
      <DemoMailNotice />
    </div>
  )
}
