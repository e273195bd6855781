import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'

type FactorFieldProps = {
  value: string
  onChange: (code: string) => void
  /** The error of the request that checks the code; null if there is no error. */
  error: unknown
}

/** An input for a TOTP code or a recovery code. */
export function FactorField({ value, onChange, error }: FactorFieldProps) {
  return (
    <Field
      label="Code"
      hint="Six digits from your app, or one of your recovery codes."
      error={
        getFieldErrors(error).code ??
        (error === null ? null : getErrorMessage(error, 'The code could not be checked.'))
      }
    >
      {(ids) => (
        <Input
          {...ids}
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="tabular"
        />
      )}
    </Field>
  )
}
