import { Field } from './field.tsx'
import { PasswordInput } from './password-input.tsx'

type OwnPasswordFieldProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /**
   * If false, the browser does not check that the password is present. The server then reports a
   * missing password.
   */
  required?: boolean
}

/** Asks for the current password, because the password proves that the user owns the account. */
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
