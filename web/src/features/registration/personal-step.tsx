import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '@cairn/gateway-contracts'

import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { PasswordInput } from '../../shared/ui/password-input.tsx'
import { StrengthMeter } from '../passwords/index.ts'
import { ErrorSummary } from './error-summary.tsx'
import type { Registration } from './stored-registration.ts'

type Passwords = { password: string; passwordConfirm: string }
export type StepProps = {
  form: Registration
  onChange: (changes: Partial<Registration>) => void
  errors: Readonly<Record<string, string>>
  failure: unknown
}
type PersonalProps = StepProps & {
  passwords: Passwords
  onPasswords: (passwords: Passwords) => void
  onNext: () => void
}

export function PersonalStep(props: PersonalProps) {
  const { form, onChange, errors, failure, onNext } = props
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onNext()
      }}
    >
      <h1 className="font-semibold font-serif text-28">Personal Details</h1>
      <ErrorSummary failure={failure} errors={errors} />
      <Field label="Fullname" error={errors.name}>
        {(ids) => (
          <Input
            {...ids}
            name="name"
            autoComplete="name"
            required
            maxLength={120}
            value={form.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Gender" error={errors.gender}>
          {(ids) => (
            <Select
              {...ids}
              name="gender"
              required
              value={form.gender}
              onChange={(event) => onChange({ gender: event.target.value })}
            >
              <option value="">Choose</option>
              <option>Male</option>
              <option>Female</option>
            </Select>
          )}
        </Field>
        <Field label="Phone" hint="Such as +44 20 7946 0000" error={errors.phone}>
          {(ids) => (
            <Input
              {...ids}
              type="tel"
              name="phone"
              autoComplete="tel"
              required
              maxLength={31}
              // The pattern equals the rule of the API contract. The browser compiles the pattern
              // with the flag `v`.
              pattern="[+\(\)\d][\d \(\)\.\-]{3,30}"
              title="A phone number such as +44 20 7946 0000"
              value={form.phone}
              onChange={(event) => onChange({ phone: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Email" error={errors.email}>
        {(ids) => (
          <Input
            {...ids}
            type="email"
            name="email"
            autoComplete="email"
            required
            maxLength={254}
            value={form.email}
            onChange={(event) => onChange({ email: event.target.value })}
          />
        )}
      </Field>
      <PasswordFields {...props} />
      <StrengthMeter password={props.passwords.password} known={[form.name, form.email]} />
      <div className="flex justify-between gap-3 pt-2">
        <Button disabled>Previous</Button>
        <Button type="submit" look="primary">
          Next
        </Button>
      </div>
    </form>
  )
}

function PasswordFields({ passwords, onPasswords, errors }: PersonalProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Password" hint="At least 8 characters; 15 are better." error={errors.password}>
        {(ids) => (
          <PasswordInput
            {...ids}
            name="password"
            autoComplete="new-password"
            required
            minLength={PASSWORD_CHARACTERS_MIN}
            maxLength={PASSWORD_CHARACTERS_MAX}
            value={passwords.password}
            onChange={(event) => onPasswords({ ...passwords, password: event.target.value })}
          />
        )}
      </Field>
      <Field label="Confirm password" error={errors.passwordConfirm}>
        {(ids) => (
          <PasswordInput
            {...ids}
            name="passwordConfirm"
            autoComplete="new-password"
            required
            value={passwords.passwordConfirm}
            onChange={(event) => onPasswords({ ...passwords, passwordConfirm: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}
