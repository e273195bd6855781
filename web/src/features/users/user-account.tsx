import { toast } from 'sonner'

import { ConfirmStep } from '../../ui/confirm-step.tsx'
import { type User, useAccountAct } from './queries.ts'

export function AccountActs({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const revoke = useAccountAct(user.id, 'revoke')
  const reset = useAccountAct(user.id, 'reset')
  const erase = useAccountAct(user.id, 'delete')
  return (
    <div className="grid justify-items-start gap-2">
      <ConfirmStep
        label="End all sessions"
        text={`Every browser in which ${user.name} is signed in has to log in again.`}
        confirmLabel="End the sessions"
        fallback="The sessions could not be ended."
        action={revoke}
        onDone={() => toast.success('The sessions are ended.')}
      />
      <ConfirmStep
        label="Force a new password"
        text={`The sessions end and ${user.email} is sent a link. Only the link sets a password; nobody here can.`}
        confirmLabel="Send the link"
        fallback="The link could not be sent."
        action={reset}
        onDone={() => toast.success(`A link was sent to ${user.email}.`)}
      />
      <ConfirmStep
        label="Delete User"
        text={`All related user data is deleted: name, e-mail, address, photo and bank accounts of ${user.name}. It cannot be brought back. Entries in the books stay, as “Deleted user”. It is refused while any money, request or investment is left.`}
        confirmLabel="Delete the user"
        fallback="Failed to delete user"
        action={erase}
        onDone={() => {
          toast.success('User deleted successfully')
          onDeleted()
        }}
      />
    </div>
  )
}
