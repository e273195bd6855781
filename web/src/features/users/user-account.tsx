import { useState } from 'react'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { ChangeReason, toReason, WaitingChanges } from '../changes/index.ts'
import { ClosingActions } from './closing-actions.tsx'
import { type User, useAccountAction, useResetFactor } from './queries.ts'
import { StatusActions } from './status-actions.tsx'

type AccountCardProps = {
  user: User
  /** True if the administrator may change the account. */
  isControlled: boolean
  onDeleted: () => void
}

/** Shows what can be done with an account. The actions that end its use come last. */
export function AccountCard({ user, isControlled, onDeleted }: AccountCardProps) {
  const hasPermission = useHasPermission()
  const canOpen = user.status !== 'active' && hasPermission('users.status')
  return (
    <Card>
      <CardHeader title="Account" />
      <div className="grid gap-4 p-5">
        <WaitingChanges target={user.id} />
        {isControlled && canOpen && <StatusActions user={user} />}
        {isControlled && <CredentialActions user={user} />}
        <Allowed permission="ledger.read">
          <TextLink to={`/manage/admin/ledger?user=${user.id}`} className="w-fit text-14">
            Ledger events of this user
          </TextLink>
        </Allowed>
        {isControlled && <ClosingActions user={user} onDeleted={onDeleted} />}
      </div>
    </Card>
  )
}

function CredentialActions({ user }: { user: User }) {
  const [reason, setReason] = useState('')
  const revoke = useAccountAction(user.id, 'revoke')
  const reset = useAccountAction(user.id, 'reset', toReason(reason))
  const hasPermission = useHasPermission()
  return (
    <div className="grid justify-items-start gap-2 empty:hidden">
      {hasPermission('users.sessions') && (
        <ConfirmStep
          label="End all sessions"
          look="secondary"
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
          look="secondary"
          text={`The sessions end and ${user.email} receives a link. Only the owner of the mailbox can set the new password.`}
          confirmLabel="Send the link"
          fallback="The link could not be sent."
          action={reset}
          onDone={() => notifySuccess(`A link was sent to ${user.email}.`)}
        >
          {user.role === 'admin' && <ChangeReason value={reason} onChange={setReason} />}
        </ConfirmStep>
      )}
      {user.isMfaEnabled && hasPermission('users.credentials') && <FactorReset user={user} />}
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
    return <Button onClick={() => setAsking(true)}>Reset two-factor authentication</Button>
  }
  return (
    <div className="w-full rounded-card bg-sunken p-4">
      <ReasonStep
        text={`${user.name} can log in with the password alone and set up a new app. The sessions end, withdrawals pause, and ${user.email} is notified.`}
        label="How was the identity confirmed?"
        hint="What you checked and whom you asked, for the audit log."
        button="Reset"
        act={reset}
        fallback="Two-factor authentication could not be reset."
        onDone={() => notifySuccess('Two-factor authentication is reset.')}
        onBack={() => setAsking(false)}
      />
    </div>
  )
}
