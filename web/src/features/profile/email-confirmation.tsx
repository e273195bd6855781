import { EMAIL_CHANGE_DIGITS, EMAIL_CHANGE_MINUTES } from '@cairn/gateway-contracts'
import { type FormEvent, useId, useState } from 'react'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CodeInput } from '../../shared/ui/code-input.tsx'
import { FieldError } from '../../shared/ui/field.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { OwnPasswordField } from '../../shared/ui/own-password-field.tsx'
import type { SignedIn } from '../sessions/index.ts'
import { DemoMailNotice } from '../settings/index.ts'
import { useConfirmEmail, useUpdateProfile } from './queries.ts'

export function EmailConfirmation({ me, pendingEmail }: { me: SignedIn; pendingEmail: string }) {
  const errorId = useId()
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const confirm = useConfirmEmail()
  const withdraw = useUpdateProfile()
  const served = getFieldErrors(confirm.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // This code uses `mutateAsync`. A callback of `mutate` would not run, because the card unmounts
    // before the answer arrives.
    confirm.mutateAsync({ code, password }).then(
      () => notifySuccess('Your new email is confirmed.'),
      () => setCode(''),
    )
  }
  const keepOldAddress = () => withdraw.mutate({ email: me.email })
  const refusal =
    served.code ??
    (confirm.isError && served.password === undefined
      ? getErrorMessage(confirm.error, 'The code could not be checked. Please try again.')
      : null)
  return (
    <Card>
      <CardHeader title="Confirm your new email" />
      <form onSubmit={submit} className="grid gap-5 p-5">
        <p className="text-14 text-muted">
          A six-digit code was sent to{' '}
          <strong className="break-all font-medium text-ink">{pendingEmail}</strong>. It is valid
          for {EMAIL_CHANGE_MINUTES} minutes. Until you enter the code, your email stays {me.email}.
        </p>
        <CodeInput
          length={EMAIL_CHANGE_DIGITS}
          value={code}
          onChange={setCode}
          label="Six-digit code"
          invalid={refusal !== null}
          describedBy={errorId}
        />
        <div id={errorId} aria-live="polite">
          {refusal !== null && <FieldError>{refusal}</FieldError>}
        </div>
        <OwnPasswordField
          value={password}
          onChange={setPassword}
          error={served.password}
          required={false}
        />
        <p className="text-12 text-muted">
          Other sessions end and withdrawals may be paused for a while. This protects the account if
          another person made the change.
        </p>
        <div className="flex flex-wrap justify-between gap-3">
          <Button pending={withdraw.isPending} onClick={keepOldAddress}>
            Keep {me.email}
          </Button>
          <Button
            type="submit"
            look="primary"
            disabled={code.length !== EMAIL_CHANGE_DIGITS || password === ''}
            pending={confirm.isPending}
          >
            Confirm the email
          </Button>
        </div>
        {withdraw.isError && (
          <Notice tone="error">
            {getErrorMessage(withdraw.error, 'Your email could not be kept. Please try again.')}
          </Notice>
        )}
        <DemoMailNotice />
      </form>
    </Card>
  )
}
