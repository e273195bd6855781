import { Field } from '../../shared/ui/field.tsx'
import { Textarea } from '../../shared/ui/inputs.tsx'
import { useIsDualControl } from './queries.ts'

const CHARACTERS_MAX = 500

type ChangeReasonProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/** Asks for a reason only while another administrator must approve the change. */
export function ChangeReason({ value, onChange, error }: ChangeReasonProps) {
  if (!useIsDualControl()) return null
  return (
    <Field
      label="Reason"
      optional
      hint="The administrator who approves the change reads it."
      error={error}
    >
      {(ids) => (
        <Textarea
          {...ids}
          rows={2}
          maxLength={CHARACTERS_MAX}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The field of a request that carries the reason: left out if there is none. */
export function toReason(typed: string): { reason?: string } {
  const reason = typed.trim()
  return reason === '' ? {} : { reason }
}
