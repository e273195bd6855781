import { PASSKEY_NAME_MAX } from '@cairn/gateway-contracts'
import { type FormEvent, useState } from 'react'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { type Passkey, useRenamePasskey } from './queries.ts'

export function RenameForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey()
  const [name, setName] = useState(passkey.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate({ id: passkey.id, name }, { onSuccess: onDone })
  }
  const error =
    getFieldErrors(rename.error).name ??
    (rename.isError ? getErrorMessage(rename.error, 'The name could not be saved.') : null)
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field label="Name" error={error}>
        {(ids) => (
          <Input
            {...ids}
            required
            maxLength={PASSKEY_NAME_MAX}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" className="w-fit" pending={rename.isPending}>
        Save
      </Button>
    </form>
  )
}
