import type { MfaNeeded } from '@cairn/gateway-contracts'
import { type ComponentType, type ReactNode, useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { type FactorSetupProps, MfaSetup } from '../mfa/index.ts'
import { PasskeyLogin, PasskeySetup } from '../passkeys/index.ts'
import { NewPasswordForm, useChangePassword } from '../passwords/index.ts'
import { type SignedIn, toSignedIn } from '../sessions/index.ts'
import { LoginForm, type PasswordProved } from './login-form.tsx'
import { MfaStep } from './mfa-step.tsx'
import { useReadMe } from './queries.ts'

type Step = { name: 'password' | 'code' } | NewFactor | Expired
/** `knownPassword` is undefined after a code, which proves the user in place of the password. */
type NewFactor = { name: 'set-up' | 'passkey'; knownPassword: string | undefined }
type Expired = { name: 'expired'; password: string; user: SignedIn }

type LoginStepsProps = {
  /** The email of the user who must log in; null accepts any user. */
  knownEmail: string | null
  onEntered: (user: SignedIn) => void
  /** Renders the heading above a step. */
  renderHeading: (title: string, text: string) => ReactNode
  onUnverified: (email: string) => void
}

/**
 * Asks for the password. Then asks for a second factor or a new password if the account requires
 * it.
 */
export function LoginSteps({
  knownEmail,
  onEntered,
  renderHeading,
  onUnverified,
}: LoginStepsProps) {
  const [step, setStep] = useState<Step>({ name: 'password' })
  const continueAfterPassword = ({ answer, password }: PasswordProved) => {
    if (answer.mfa !== undefined) setStep(findStep(answer.mfa, password))
    if (answer.mfa !== undefined || answer.user === undefined) return
    const user = toSignedIn({ user: answer.user, permissions: answer.permissions ?? [] })
    if (answer.isPasswordExpired) setStep({ name: 'expired', password, user })
    else onEntered(user)
  }
  switch (step.name) {
    case 'password':
      return (
        <>
          {renderHeading('Log in', 'Welcome back.')}
          <LoginForm
            knownEmail={knownEmail}
            onProved={continueAfterPassword}
            onUnverified={onUnverified}
            onEntered={onEntered}
          />
        </>
      )
    case 'code':
      return (
        <>
          {renderHeading('Second factor', 'Your password is correct. Confirm your second factor.')}
          <PasskeyLogin remember={false} onEntered={onEntered} />
          <MfaStep
            onProved={({ user, permissions = [], mfa }) => {
              if (mfa !== undefined) setStep(findStep(mfa, undefined))
              else if (user !== undefined) onEntered(toSignedIn({ user, permissions }))
            }}
            onBack={() => setStep({ name: 'password' })}
          />
        </>
      )
    case 'set-up':
      return (
        <>
          {renderHeading(
            'Set up a second factor',
            'Administrators of this site need a second factor. Set it up to continue.',
          )}
          <SetUp Setup={MfaSetup} step={step} onEntered={onEntered} />
        </>
      )
    case 'passkey':
      return (
        <>
          {renderHeading(
            'Add a passkey',
            'Administrators of this site need a passkey. Add one to continue.',
          )}
          <SetUp Setup={PasskeySetup} step={step} onEntered={onEntered} />
        </>
      )
    case 'expired':
      return (
        <>
          {renderHeading(
            'Choose a new password',
            'Your password has expired. Your balances are not affected.',
          )}
          <ExpiredPassword step={step} onEntered={onEntered} />
        </>
      )
  }
}

function findStep({ isEnrolled, methods }: MfaNeeded, knownPassword: string | undefined): Step {
  if (isEnrolled) return { name: 'code' }
  return { name: methods.includes('passkey') ? 'passkey' : 'set-up', knownPassword }
}

type SetUpProps = {
  Setup: ComponentType<FactorSetupProps>
  step: NewFactor
  onEntered: (user: SignedIn) => void
}

/**
 * Lets the user set up a second factor, then reads the user from the server to complete the login.
 */
function SetUp({ Setup, step: { knownPassword }, onEntered }: SetUpProps) {
  const me = useReadMe()
  return (
    <>
      {me.isError && (
        <Notice tone="error">{getErrorMessage(me.error, 'Please log in again.')}</Notice>
      )}
      <Setup
        knownPassword={knownPassword}
        hasFactor={knownPassword === undefined}
        onDone={() =>
          me.mutate(undefined, { onSuccess: (answer) => onEntered(toSignedIn(answer)) })
        }
      />
    </>
  )
}

function ExpiredPassword({
  step,
  onEntered,
}: {
  step: Expired
  onEntered: (user: SignedIn) => void
}) {
  const change = useChangePassword()
  return (
    <NewPasswordForm
      isCurrentRequired={false}
      submitLabel="Change the password"
      isPending={change.isPending}
      error={change.error}
      failed="The password could not be changed. Please try again."
      onSubmit={(form) =>
        change.mutate(
          { ...form, currentPassword: step.password },
          { onSuccess: ({ user }) => onEntered({ ...step.user, ...user }) },
        )
      }
    />
  )
}
