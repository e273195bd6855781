import { type ReactNode, useState } from 'react'

import { getFieldErrors } from '../api/failure.ts'
import { ActFailure } from './act-failure.tsx'
import { Button } from './button.tsx'
import { ReasonField } from './reason-field.tsx'

type ReasonStepProps = {
  /** The consequence of the action. */
  text?: ReactNode
  /** The label of the reason field. */
  label?: string
  hint?: string | undefined
  button: string
  look?: 'danger' | 'primary'
  /** The mutation that carries out the action with the reason. */
  act: { isPending: boolean; error: unknown; mutateAsync: (reason: string) => Promise<unknown> }
  fallback: string
  /** True while an input of the action outside of this step is missing. */
  disabled?: boolean
  onDone: () => void
  onBack: () => void
}

/**
 * The last step of an action that needs a reason. The step asks for the reason, then runs the
 * action.
 */
export function ReasonStep(props: ReasonStepProps) {
  const {
    text,
    label,
    hint,
    button,
    look = 'danger',
    act,
    fallback,
    disabled,
    onDone,
    onBack,
  } = props
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const submit = () => {
    setChecked(true)
    if (act.isPending || reason.trim() === '') return
    act.mutateAsync(reason.trim()).then(onDone, () => {})
  }
  return (
    <div className="grid w-full gap-3">
      {text !== undefined && <p className="text-14">{text}</p>}
      <ReasonField
        value={reason}
        onChange={setReason}
        isChecked={isChecked}
        isFocused
        label={label}
        hint={hint}
        error={getFieldErrors(act.error).reason}
      />
      <ActFailure error={act.error} fallback={fallback} />
      <div className="flex justify-end gap-2">
        <Button onClick={onBack} disabled={act.isPending}>
          Back
        </Button>
        <Button look={look} pending={act.isPending} disabled={disabled} onClick={submit}>
          {button}
        </Button>
      </div>
    </div>
  )
}
