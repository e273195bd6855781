import { type FormEvent, useState } from 'react'
import { getErrorCode, getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { OwnPasswordField } from '../../shared/ui/own-password-field.tsx'
import { useEnableMfa, useSetUp } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const COPIED_SECONDS = 3

/** The parts of a set-up of a second factor that its page knows. */
export type FactorSetupProps = {
  /** The password, if the user has just entered it to log in. */
  knownPassword?: string | undefined
  /** True if the account has a second factor, whose use replaces the password as a proof. */
  hasFactor: boolean
  onDone: () => void
}

/**
 * Asks for the password if needed, then shows the QR code, the code field and the recovery codes.
 * Calls `onDone` when the user has saved the codes.
 */
export function MfaSetup({ knownPassword, hasFactor, onDone }: FactorSetupProps) {
  const setUp = useSetUp()
  const enable = useEnableMfa()
  if (enable.data !== undefined) {
    return <RecoveryCodes codes={enable.data.recoveryCodes} onKept={onDone} />
  }
  if (setUp.data === undefined) {
    return <PasswordStep setUp={setUp} knownPassword={knownPassword} hasFactor={hasFactor} />
  }
  return <ScanStep secret={setUp.data.secret} qr={setUp.data.qr} enable={enable} />
}

type PasswordStepProps = Omit<FactorSetupProps, 'onDone'> & { setUp: ReturnType<typeof useSetUp> }

function PasswordStep({ setUp, knownPassword, hasFactor }: PasswordStepProps) {
  const [password, setPassword] = useState('')
  const isPasswordRefused =
    getErrorCode(setUp.error) === 'PASSWORD_NEEDED' ||
    getFieldErrors(setUp.error).password !== undefined
  const needsPassword = (!hasFactor && knownPassword === undefined) || isPasswordRefused
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setUp.mutate(needsPassword ? password : knownPassword)
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <p className="text-14 text-muted">
        You need an app that shows six-digit codes, such as Aegis, Google Authenticator or a
        password manager. After the setup, each login asks for a code from the app.
      </p>
      {needsPassword && (
        <OwnPasswordField
          value={password}
          onChange={setPassword}
          error={getFieldErrors(setUp.error).password}
        />
      )}
      {setUp.isError && !isPasswordRefused && (
        <Notice tone="error">
          {getErrorMessage(setUp.error, 'The setup could not start. Please try again.')}
        </Notice>
      )}
      <Button type="submit" look="primary" className="w-fit" pending={setUp.isPending}>
        Start setup
      </Button>
    </form>
  )
}

type ScanStepProps = { secret: string; qr: string; enable: ReturnType<typeof useEnableMfa> }

function ScanStep({ secret, qr, enable }: ScanStepProps) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enable.mutate(code)
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <ol className="grid list-decimal gap-5 pl-5 text-14">
        <li>
          <p>Scan this QR code with your app.</p>
          {/* The background of the QR code is white in both themes, because scanners need a
              light background. */}
          <img
            src={qr}
            alt="QR code of the secret below"
            width={192}
            height={192}
            className="mt-3 size-48 rounded-card border border-line bg-[#fff] p-2"
          />
        </li>
        <li>
          <p>Or enter this secret in the app.</p>
          <p className="mt-2 flex flex-wrap items-center gap-3">
            <code className="tabular break-all rounded-card bg-sunken px-3 py-2">{secret}</code>
            <CopyButton
              text={secret}
              label="Copy the secret"
              notice="Copied to clipboard!"
              noticeSeconds={COPIED_SECONDS}
            />
          </p>
        </li>
        <li>
          <Field
            label="Code from the app"
            error={
              getFieldErrors(enable.error).code ??
              (enable.isError
                ? getErrorMessage(enable.error, 'The code could not be checked.')
                : null)
            }
          >
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={7}
                required
                value={code}
                onChange={(event) => setCode(event.target.value)}
                className="tabular max-w-40"
              />
            )}
          </Field>
        </li>
      </ol>
      <Button type="submit" look="primary" className="w-fit" pending={enable.isPending}>
        Turn on
      </Button>
    </form>
  )
}
