import type { loginMfa, ResponseOf } from '@cairn/gateway-contracts'
import { type FormEvent, useState } from 'react'

import { Button } from '../../shared/ui/button.tsx'
import { FactorField } from '../mfa/index.ts'
import { useProveFactor } from './queries.ts'

/** Asks for a TOTP code or a recovery code as the second step of a login. */
export function MfaStep({
  onProved,
  onBack,
}: {
  onProved: (answer: ResponseOf<typeof loginMfa>) => void
  onBack: () => void
}) {
  const prove = useProveFactor()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    prove.mutate(code, { onSuccess: onProved })
  }
  return (
    <form onSubmit={submit} className="grid gap-5">
      <FactorField value={code} onChange={setCode} error={prove.error} />
      <div className="flex justify-between gap-3">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" pending={prove.isPending}>
          Log in
        </Button>
      </div>
    </form>
  )
}
