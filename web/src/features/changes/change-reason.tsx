import { ReasonField } from '../../shared/ui/reason-field.tsx'
import { useIsDualControl } from './queries.ts'

type ChangeReasonProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/** Asks the author for a reason if a second administrator must approve the change. */
export function ChangeReason({ value, onChange, error }: ChangeReasonProps) {
  if (!useIsDualControl()) return null
  return (
    <ReasonField
      value={value}
      onChange={onChange}
      optional
      hint="The administrator who approves the change can read it."
      error={error}
    />
  )
}

/** Returns the `reason` of a request body, without the property if the text is empty. */
export function toReason(typed: string): { reason?: string } {
  const reason = typed.trim()
  return reason === '' ? {} : { reason }
}
