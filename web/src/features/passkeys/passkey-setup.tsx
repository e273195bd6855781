import { PASSKEY_NAME_MAX } from '@cairn/gateway-contracts'
import { type FormEvent, useState } from 'react'
import { getErrorCode, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { OwnPasswordField } from '../../shared/ui/own-password-field.tsx'
import { useNoPasskeysReason } from '../../shared/webauthn/ceremony.ts'
import { type FactorSetupProps, RecoveryCodes } from '../mfa/index.ts'
import { explainPasskeyFailure } from './explain-passkey-failure.ts'
import { useAddPasskey } from './queries.ts'

/** Adds a passkey. Shows the recovery codes if the passkey is the user's first second factor. */
export function PasskeySetup({ knownPassword, hasFactor, onDone }: FactorSetupProps) {
  const add = useAddPasskey()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const reason = useNoPasskeysReason()
  const codes = add.data?.recoveryCodes ?? null
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={onDone} />
  const served = getFieldErrors(add.error)
  const isPasswordRefused =
    getErrorCode(add.error) === 'PASSWORD_NEEDED' || served.password !== undefined
  const needsPassword = (!hasFactor && knownPassword === undefined) || isPasswordRefused
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = needsPassword || password !== '' ? password : knownPassword
    add.mutate(
      { name, password: given },
      { onSuccess: ({ recoveryCodes }) => recoveryCodes === null && onDone() },
    )
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <p className="text-14 text-muted">
        Your device stores the passkey and asks for your fingerprint, face or PIN. A passkey cannot
        be phished, and replaces both the password and the code.
      </p>
      {reason !== null && <Notice tone="warning">{reason}</Notice>}
      <Field label="Name" hint="For example: Laptop or Phone." error={served.name}>
        {(ids) => (
          <Input
            {...ids}
            required
            maxLength={PASSKEY_NAME_MAX}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {needsPassword && (
        <OwnPasswordField value={password} onChange={setPassword} error={served.password} />
      )}
      {add.isError && !isPasswordRefused && served.name === undefined && (
        <Notice tone="error">
          {explainPasskeyFailure(add.error, 'The passkey could not be added. Please try again.')}
        </Notice>
      )}
      <Button
        type="submit"
        look="primary"
        className="w-fit"
        disabled={reason !== null}
        pending={add.isPending}
      >
        Create passkey
      </Button>
    </form>
  )
}
