import { type FormEvent, useState } from 'react'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { OwnPasswordField } from '../../shared/ui/own-password-field.tsx'
import { useDisableMfa, useRenewCodes } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

export function DisableForm({ onDone }: { onDone: () => void }) {
  const disable = useDisableMfa()
  return (
    <ProofForm
      text="Your account is then protected by the password only. Other sessions end, and withdrawals may be paused for a while."
      submitLabel="Turn off"
      look="danger"
      change={disable}
      isCodeNeeded
      onSubmit={(proof) => disable.mutate(proof, { onSuccess: onDone })}
    />
  )
}

/**
 * Renews the recovery codes. A user without an authenticator app confirms the renewal with a
 * passkey instead of a code.
 */
export function RenewForm({ hasApp, onDone }: { hasApp: boolean; onDone: () => void }) {
  const renew = useRenewCodes()
  if (renew.data !== undefined) {
    return <RecoveryCodes codes={renew.data.recoveryCodes} onKept={onDone} />
  }
  return (
    <ProofForm
      text="Your current recovery codes stop working immediately, and withdrawals may be paused for a while."
      submitLabel="Create new codes"
      look="primary"
      change={renew}
      isCodeNeeded={hasApp}
      onSubmit={({ password, code }) => renew.mutate(hasApp ? { password, code } : { password })}
    />
  )
}

type ProofFormProps = {
  text: string
  submitLabel: string
  look: 'primary' | 'danger'
  isCodeNeeded: boolean
  change: { isPending: boolean; isError: boolean; error: Error | null }
  onSubmit: (proof: { password: string; code: string }) => void
}

/**
 * Asks for the password and the second factor. They prove that the user may change the second
 * factor.
 */
function ProofForm(props: ProofFormProps) {
  const { text, submitLabel, look, isCodeNeeded, change, onSubmit } = props
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const served = getFieldErrors(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit({ password, code })
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <p className="text-14 text-muted">{text}</p>
      <OwnPasswordField value={password} onChange={setPassword} error={served.password} />
      {isCodeNeeded && (
        <Field label="Code from the app" error={served.code}>
          {(ids) => (
            <Input
              {...ids}
              autoComplete="one-time-code"
              maxLength={40}
              required
              value={code}
              onChange={(event) => setCode(event.target.value)}
              className="tabular"
            />
          )}
        </Field>
      )}
      {change.isError && Object.keys(served).length === 0 && (
        <Notice tone="error">
          {getErrorMessage(
            change.error,
            'The second factor could not be changed. Please try again.',
          )}
        </Notice>
      )}
      <Button type="submit" look={look} className="w-fit" pending={change.isPending}>
        {submitLabel}
      </Button>
    </form>
  )
}
