import { type FormEvent, useState } from 'react'

import { fieldErrorsOf, messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/inputs.tsx'
import { useStepUp } from './queries.ts'

/** Over whatever asked for it; afterwards that goes on by itself. */
export function StepUpDialog({ onAnswer }: { onAnswer: (isShown: boolean) => void }) {
  const stepUp = useStepUp()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form of the page beneath would be sent with it.
    event.stopPropagation()
    stepUp.mutate(code, { onSuccess: () => onAnswer(true) })
  }
  return (
    <Dialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Confirm it is you"
      description="Money moves only while your second factor was shown lately."
    >
      <form onSubmit={submit} className="grid gap-5">
        <Field
          label="Code"
          hint="Six digits of your app, or one of your recovery codes."
          error={
            fieldErrorsOf(stepUp.error).code ??
            (stepUp.isError ? messageOf(stepUp.error, 'The code could not be checked.') : null)
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
              value={code}
              onChange={(event) => setCode(event.target.value)}
              className="tabular"
            />
          )}
        </Field>
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
