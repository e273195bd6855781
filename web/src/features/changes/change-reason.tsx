import { ReasonField } from '../../shared/ui/reason-field.tsx'
import { useIsDualControl } from './queries.ts'

type ChangeReasonProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/** Asks for a reason only while another administrator must approve the change. */
export function ChangeReason({ value, onChange, error }: ChangeReasonProps) {
  if (!useIsDualControl()) return null
  return (
    <ReasonField
      value={value}
      onChange={onChange}
      optional
      hint="The administrator who approves the change reads it."
      error={error}
    />
  )
}

/** The field of a request that carries the reason: left out if there is none. */
export function toReason(typed: string): { reason?: string } {
  const reason = typed.trim()
  return reason === '' ? {} : { reason }
}
