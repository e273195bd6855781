import { type ReactNode, useState } from 'react'

import { ActFailure } from './act-failure.tsx'
import { Button } from './button.tsx'

type ConfirmStepProps = {
  /** The label of the button that opens the confirmation. */
  label: string
  /** The consequence of the action. */
  text: ReactNode
  /** The label of the button that confirms the action. */
  confirmLabel: string
  fallback: string
  /** `danger` is for an action that ends the use of what it changes. */
  look?: 'danger' | 'secondary'
  /** A field that belongs to the action, shown with the consequence. */
  children?: ReactNode
  action: { mutateAsync: () => Promise<unknown>; isPending: boolean; error: unknown }
  onDone: () => void
}

/**
 * A button for an irreversible action. The action takes two clicks: the first click shows the
 * consequence.
 */
export function ConfirmStep(props: ConfirmStepProps) {
  const { label, text, confirmLabel, fallback, children, action, onDone } = props
  const { look = 'danger' } = props
  const [isAsking, setAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button look={look} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  return (
    <div className="grid w-full gap-3 rounded-card bg-sunken p-4 text-14">
      <p>{text}</p>
      {children}
      <ActFailure error={action.error} fallback={fallback} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setAsking(false)} disabled={action.isPending}>
          Back
        </Button>
        <Button
          size="small"
          look={look === 'danger' ? 'danger' : 'primary'}
          pending={action.isPending}
          onClick={() => void action.mutateAsync().then(onDone, () => {})}
        >
          {confirmLabel}
        </Button>
      </div>
    </div>
  )
}
