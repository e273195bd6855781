import { type FormEvent, useState } from 'react'

import { fieldErrorsOf, messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/inputs.tsx'
import type { SignedIn } from '../session/queries.ts'
import { useProveFactor } from '../session/queries.ts'

/** The second step of a login: a code of the app, or one of the recovery codes. */
export function SecondFactorStep({
  onEntered,
  onBack,
}: {
  onEntered: (user: SignedIn) => void
  onBack: () => void
}) {
  const prove = useProveFactor()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    prove.mutate(code, { onSuccess: ({ user }) => onEntered(user) })
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field
        label="Code"
        hint="Six digits of your app, or one of your recovery codes."
        error={
          fieldErrorsOf(prove.error).code ??
          (prove.isError ? messageOf(prove.error, 'The code could not be checked.') : null)
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
      <div className="flex justify-between gap-3">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" pending={prove.isPending}>
          Log in
        </Button>
      </div>
    </form>
  )
}
