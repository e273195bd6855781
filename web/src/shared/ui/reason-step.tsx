import { type ReactNode, useState } from 'react'

import { fieldErrorsOf, messageOf } from '../api/failure.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { ReasonField } from './reason-field.tsx'

type ReasonStepProps = {
  /** What follows from it. */
  text?: ReactNode
  /** What the reason is called here. */
  label?: string
  hint?: string
  button: string
  look?: 'danger' | 'primary'
  /** TanStack's mutation has these. */
  act: { isPending: boolean; error: unknown; mutateAsync: (reason: string) => Promise<unknown> }
  fallback: string
  /** Something else is still missing. */
  disabled?: boolean
  onDone: () => void
  onBack: () => void
}

/** The last step of an act that needs a reason: it is asked for, then the act is carried out. */
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
        label={label}
        hint={hint}
        error={fieldErrorsOf(act.error).reason}
      />
      {act.error !== null && <Notice tone="error">{messageOf(act.error, fallback)}</Notice>}
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
