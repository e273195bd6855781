import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { sessionQueries } from '../sessions/index.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { useChangePassword } from './queries.ts'

export function ChangePasswordCard() {
  const change = useChangePassword()
  const me = useQuery(sessionQueries.me()).data
  // The number of successful changes. The form uses this number as its key, so each change resets
  // the form.
  const [made, setMade] = useState(0)
  return (
    <Card>
      <CardHeader title="Password" />
      <div className="grid gap-5 p-5">
        {made > 0 && (
          <Notice tone="success">
            Your password has been changed. Your other sessions have ended, and withdrawals may be
            paused for a while.
          </Notice>
        )}
        <NewPasswordForm
          key={made}
          isCurrentRequired
          known={me === undefined ? [] : [me.name, me.email]}
          submitLabel="Change the password"
          isPending={change.isPending}
          error={change.error}
          failed="The password could not be changed. Please try again."
          onSubmit={(form) => change.mutate(form, { onSuccess: () => setMade(made + 1) })}
        />
      </div>
    </Card>
  )
}
