import { useState } from 'react'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { ChangeReason, toReason } from '../changes/index.ts'
import { type User, useAccountAction, useResetFactor } from './queries.ts'

export function AccountActions({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const [reason, setReason] = useState('')
  const revoke = useAccountAction(user.id, 'revoke')
  const reset = useAccountAction(user.id, 'reset', toReason(reason))
  const erase = useAccountAction(user.id, 'delete', toReason(reason))
  // The reason is for the second administrator. A second administrator is needed only for some
  // changes to the account of an administrator.
  const reasonField = user.role === 'admin' && <ChangeReason value={reason} onChange={setReason} />
  const hasPermission = useHasPermission()
  return (
    <div className="grid justify-items-start gap-2">
      {hasPermission('users.sessions') && (
        <ConfirmStep
          label="End all sessions"
          text={`${user.name} has to log in again in every browser.`}
          confirmLabel="End the sessions"
          fallback="The sessions could not be ended."
          action={revoke}
          onDone={() => notifySuccess('The sessions have ended.')}
        />
      )}
      {hasPermission('users.credentials') && (
        <ConfirmStep
          label="Force password reset"
          text={`The sessions end and ${user.email} receives a link. Only the owner of the mailbox can set the new password.`}
          confirmLabel="Send the link"
          fallback="The link could not be sent."
          action={reset}
          onDone={() => notifySuccess(`A link was sent to ${user.email}.`)}
        >
          {reasonField}
        </ConfirmStep>
      )}
      {user.isMfaEnabled && hasPermission('users.credentials') && <FactorReset user={user} />}
      {hasPermission('users.delete') && (
        <ConfirmStep
          label="Delete User"
          text={`All related user data is deleted: name, email, address, photo and bank accounts of ${user.name}. This cannot be undone. Ledger events are kept under the name “Deleted user”. The user must have no money, pending request or running investment.`}
          confirmLabel="Delete the user"
          fallback="Failed to delete user"
          action={erase}
          onDone={() => {
            notifySuccess('User deleted successfully')
            onDeleted()
          }}
        >
          {reasonField}
        </ConfirmStep>
      )}
    </div>
  )
}

/**
 * Turns off two-factor authentication for a user who has proved their identity without the second
 * factor.
 */
function FactorReset({ user }: { user: User }) {
  const [isAsking, setAsking] = useState(false)
  const reset = useResetFactor(user.id)
  if (!isAsking) {
    return (
      <Button look="danger" onClick={() => setAsking(true)}>
        Reset two-factor authentication
      </Button>
    )
  }
  return (
    <div className="w-full rounded-card bg-sunken p-4">
      <ReasonStep
        text={`${user.name} can log in with the password alone and set up a new app. The sessions end, withdrawals pause, and ${user.email} is notified.`}
        label="How was the identity confirmed?"
        hint="State what you checked and whom you asked. Stored in the audit log."
        button="Reset"
        act={reset}
        fallback="Two-factor authentication could not be reset."
        onDone={() => notifySuccess('Two-factor authentication is reset.')}
        onBack={() => setAsking(false)}
      />
    </div>
  )
}
