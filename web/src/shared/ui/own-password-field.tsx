import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

type OwnPasswordFieldProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** False where the server answers which field is missing. */
  required?: boolean
}

/** Asks for the present password of the account, as a proof of its owner. */
export function OwnPasswordField({
  value,
  onChange,
  error,
  required = true,
}: OwnPasswordFieldProps) {
  return (
    <Field label="Your password" error={error}>
      {(ids) => (
        <PasswordInput
          {...ids}
          autoComplete="current-password"
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
