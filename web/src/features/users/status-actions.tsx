import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { type User, useChangeStatus } from './queries.ts'

const VERBS = {
  pending: [
    { status: 'deny', label: 'Deny Access', look: 'danger' },
    { status: 'approve', label: 'Approve', look: 'primary' },
  ],
  active: [{ status: 'deactivate', label: 'Deactivate', look: 'danger' }],
  deactivated: [{ status: 'active', label: 'Activate', look: 'primary' }],
  denied: [{ status: 'active', label: 'Activate', look: 'primary' }],
} as const

export function StatusActions({ user }: { user: User }) {
  const change = useChangeStatus()
  const [reason, setReason] = useState('')
  const isAdmin = user.role === 'admin'
  return (
    <div className="grid gap-3">
      {isAdmin && (
        <ChangeReason
          value={reason}
          onChange={setReason}
          error={getFieldErrors(change.error).reason}
        />
      )}
      <ActFailure error={change.error} fallback="Failed to update status" />
      <div className="flex flex-wrap gap-2">
        {VERBS[user.status].map(({ status, label, look }) => (
          <Button
            key={status}
            look={look}
            pending={change.isPending && change.variables.body.status === status}
            disabled={change.isPending}
            onClick={() =>
              change
                .mutateAsync({
                  id: user.id,
                  body: { status, name: user.name, ...toReason(reason) },
                })
                .then(
                  () => notifySuccess("User's status changed successfully!"),
                  () => {},
                )
            }
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
