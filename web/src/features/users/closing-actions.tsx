import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { roleQueries } from '../roles/index.ts'
import { sessionQueries } from '../sessions/index.ts'
import { type User, useAccountAction } from './queries.ts'
import { StatusActions } from './status-actions.tsx'

type ClosingActionsProps = { user: User; onDeleted: () => void }

/** Deactivates or deletes an account. Where the server refuses both, says so instead. */
export function ClosingActions({ user, onDeleted }: ClosingActionsProps) {
  const hasPermission = useHasPermission()
  const refusal = useRefusal(user)
  const reasonId = useId()
  const canDeactivate = user.status === 'active' && hasPermission('users.status')
  const canDelete = hasPermission('users.delete')
  if (!canDeactivate && !canDelete) return null
  const refused = { look: 'danger', disabled: true, 'aria-describedby': reasonId } as const
  return (
    <div className="grid justify-items-start gap-2 border-line border-t pt-4">
      {refusal === null ? (
        <>
          {canDeactivate && <StatusActions user={user} />}
          {canDelete && <Deletion user={user} onDeleted={onDeleted} />}
        </>
      ) : (
        <>
          {canDeactivate && <Button {...refused}>Deactivate</Button>}
          {canDelete && <Button {...refused}>Delete user</Button>}
          <p id={reasonId} className="text-12 text-muted">
            {refusal}
          </p>
        </>
      )}
    </div>
  )
}

/**
 * Returns why the server refuses to deactivate or delete this account; null if it may agree. It also
 * refuses while a number of approvers must stay active, which this page does not know.
 */
function useRefusal(user: User): string | null {
  const hasPermission = useHasPermission()
  const { data: me } = useQuery(sessionQueries.me())
  const roles = useQuery({
    ...roleQueries.listRoles(),
    enabled: user.role === 'admin' && hasPermission('roles.read'),
  })
  if (me?.id === user.id) return 'You cannot deactivate or delete your own account.'
  const known = roles.data?.administrators.find(({ id }) => id === user.id)
  return known?.isLastOwner === true
    ? 'This is the last active owner. Make another administrator an owner first.'
    : null
}

function Deletion({ user, onDeleted }: ClosingActionsProps) {
  const [reason, setReason] = useState('')
  const erase = useAccountAction(user.id, 'delete', toReason(reason))
  return (
    <ConfirmStep
      label="Delete user"
      text={`All related user data is deleted: name, email, address, photo and bank accounts of ${user.name}. This cannot be undone. Ledger events are kept under the name “Deleted user”. The user must have no money, pending request or running investment.`}
      confirmLabel="Delete the user"
      fallback="Failed to delete user"
      action={erase}
      onDone={() => {
        notifySuccess('User deleted successfully')
        onDeleted()
      }}
    >
      {/* Only the change to an account of an administrator needs a second administrator. */}
      {user.role === 'admin' && <ChangeReason value={reason} onChange={setReason} />}
    </ConfirmStep>
  )
}
