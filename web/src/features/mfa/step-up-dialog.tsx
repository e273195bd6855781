import { type FormEvent, useState } from 'react'

import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { FactorField } from './factor-field.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { useStepUp } from './queries.ts'

/**
 * Asks for the second factor in a dialog over the page whose request needs a step-up. After the
 * step-up, the request is sent again.
 */
export function StepUpDialog({ onAnswer }: { onAnswer: (isShown: boolean) => void }) {
  const stepUp = useStepUp()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React passes the submit event through the portal to the form below the dialog. This call
    // prevents that form from being submitted.
    event.stopPropagation()
    stepUp.mutate(code, { onSuccess: () => onAnswer(true) })
  }
  return (
    <Dialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Confirm it is you"
      description="To continue, confirm that it is you with your second factor."
    >
      <PasskeyStep onShown={() => onAnswer(true)} />
      <form onSubmit={submit} className="grid gap-5">
        <FactorField value={code} onChange={setCode} error={stepUp.error} />
        <div className="flex justify-end gap-3">
          <Button onClick={() => onAnswer(false)}>Cancel</Button>
          <Button type="submit" look="primary" pending={stepUp.isPending}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
