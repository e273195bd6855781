import { Field } from './field.tsx'
import { focusOnMount } from './focus-on-mount.ts'
import { Textarea } from './inputs.tsx'

const CHARACTERS_MAX = 500

type ReasonFieldProps = {
  value: string
  onChange: (value: string) => void
  /** True after a submit. An empty reason is then shown as an error. */
  isChecked?: boolean
  label?: string | undefined
  hint?: string | undefined
  error?: string | undefined
  optional?: boolean
  /** True if the field gets the focus when it appears. */
  isFocused?: boolean
}

/** Asks for a reason that other people will read. */
export function ReasonField({
  value,
  onChange,
  isChecked = false,
  label = 'Reason',
  hint,
  error,
  optional = false,
  isFocused = false,
}: ReasonFieldProps) {
  const isMissing = value.trim() === ''
  return (
    <Field
      label={label}
      hint={hint}
      optional={optional}
      error={isChecked && isMissing ? 'Give a reason' : error}
    >
      {(ids) => (
        <Textarea
          {...ids}
          ref={isFocused ? focusOnMount : undefined}
          rows={2}
          maxLength={CHARACTERS_MAX}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
