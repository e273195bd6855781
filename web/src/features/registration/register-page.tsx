import { useEffect, useRef, useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Stepper } from '../../shared/ui/stepper.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { AddressStep } from './address-step.tsx'
import { CodeStep } from './code-step.tsx'
import { FinalStep } from './final-step.tsx'
import { PersonalStep } from './personal-step.tsx'
import { useSignUp } from './queries.ts'
import { findStepOfErrors } from './step-of-error.ts'
import { findReferral } from './stored-referral.ts'
import {
  clearRegistration,
  findRegistration,
  type Registration,
  type Step,
  storeRegistration,
} from './stored-registration.ts'

const STEPS = ['Personal', 'Address', 'Verify Email', 'Final']

export function RegisterPage() {
  const [kept] = useState(findRegistration)
  const [step, setStep] = useState<Step>(kept.step)
  const [form, setForm] = useState<Registration>(kept.form)
  const [passwords, setPasswords] = useState({ password: '', passwordConfirm: '' })
  const signUp = useSignUp()
  const errors = getFieldErrors(signUp.error)
  usePageTitle()
  useEffect(() => {
    if (step === 4) clearRegistration()
    else storeRegistration({ step, form })
  }, [step, form])
  const heading = useStepFocus(step, signUp.error)

  const submit = () => {
    if (signUp.isPending) return
    const refid = findReferral(Date.now())
    signUp.mutate(
      { ...form, ...passwords, ...(refid === null ? {} : { refid }) },
      {
        onSuccess: () => {
          setPasswords({ password: '', passwordConfirm: '' })
          setStep(3)
        },
        onError: (error) => setStep(findStepOfErrors(Object.keys(getFieldErrors(error)))),
      },
    )
  }
  const shared = {
    form,
    onChange: (changes: Partial<Registration>) => setForm((before) => ({ ...before, ...changes })),
    errors,
    failure: signUp.error,
  }
  return (
    <div className="grid gap-8">
      <Stepper steps={STEPS} step={step} hasEnd />
      <div ref={heading} tabIndex={-1} className="grid gap-6">
        {step === 1 && (
          <PersonalStep
            {...shared}
            passwords={passwords}
            onPasswords={setPasswords}
            onNext={() => setStep(2)}
          />
        )}
        {step === 2 && (
          <AddressStep
            {...shared}
            onPrevious={() => setStep(1)}
            onSubmit={submit}
            isPending={signUp.isPending}
          />
        )}
        {step === 3 && (
          <CodeStep
            email={form.email}
            waitSeconds={signUp.data?.retryAfter ?? 0}
            onVerified={() => setStep(4)}
            onRestart={() => setStep(1)}
          />
        )}
        {step === 4 && <FinalStep />}
      </div>
      {step < 3 && (
        <p className="text-14 text-muted">
          Already registered? <TextLink to="/users/login">Login</TextLink>
        </p>
      )}
    </div>
  )
}

/** Focuses the heading of a new step, or the first field in error. */
function useStepFocus(step: Step, failure: unknown) {
  const panel = useRef<HTMLDivElement>(null)
  const shown = useRef({ step, failure })
  useEffect(() => {
    const before = shown.current
    shown.current = { step, failure }
    if (before.step === step && before.failure === failure) return
    const bad = panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    ;(bad ?? panel.current)?.focus()
  }, [step, failure])
  return panel
}
