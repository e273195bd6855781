import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useNoPasskeysReason } from '../../shared/webauthn/ceremony.ts'
import { mfaQueries } from '../mfa/index.ts'
import { PasskeyRow } from './passkey-row.tsx'
import { PasskeySetup } from './passkey-setup.tsx'
import { type Passkey, passkeyQueries, useReadPasskeysAgain, useRemovePasskey } from './queries.ts'
import { RenameForm } from './rename-form.tsx'

type Asked = { name: 'add' } | { name: 'rename' | 'remove'; passkey: Passkey }
const TITLES = {
  add: 'Add a passkey',
  rename: 'Rename passkey',
  remove: 'Remove passkey',
} as const

/** Lists the passkeys of the user, and lets the user add, rename and remove them. */
export function PasskeysCard() {
  const {
    data: passkeys,
    isError,
    refetch,
    isFetching,
  } = useQuery(passkeyQueries.listOwnPasskeys())
  const mfa = useQuery(mfaQueries.readOwnFactors())
  const readAgain = useReadPasskeysAgain()
  const [asked, setAsked] = useState<Asked | null>(null)
  const reason = useNoPasskeysReason()
  const close = () => {
    setAsked(null)
    void readAgain()
  }
  return (
    <Card>
      <CardHeader
        title="Passkeys"
        action={
          <Button size="small" disabled={reason !== null} onClick={() => setAsked({ name: 'add' })}>
            Add passkey
          </Button>
        }
      />
      {reason !== null && (
        <Notice tone="info" className="m-5 mb-0">
          {reason}
        </Notice>
      )}
      {isError && passkeys === undefined && (
        <div className="p-5">
          <FailedState
            message="Your passkeys could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        </div>
      )}
      {passkeys === undefined && !isError && (
        <div className="flex p-5">
          <Skeleton className="h-5 w-full max-sm:h-10" />
        </div>
      )}
      {passkeys?.length === 0 && (
        <p className="p-5 text-14 text-muted">
          No passkeys yet. A passkey logs you in with your fingerprint, face or PIN.
        </p>
      )}
      <ul className="divide-y divide-line">
        {passkeys?.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRename={() => setAsked({ name: 'rename', passkey })}
            onRemove={() => setAsked({ name: 'remove', passkey })}
          />
        ))}
      </ul>
      <Dialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={asked === null ? '' : TITLES[asked.name]}
      >
        {asked?.name === 'add' && (
          <PasskeySetup hasFactor={mfa.data?.hasFactor !== false} onDone={close} />
        )}
        {asked?.name === 'rename' && <RenameForm passkey={asked.passkey} onDone={close} />}
        {asked?.name === 'remove' && <RemoveStep passkey={asked.passkey} onDone={close} />}
      </Dialog>
    </Card>
  )
}

function RemoveStep({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const remove = useRemovePasskey()
  return (
    <div className="grid gap-5">
      <p className="text-14 text-muted">
        You will no longer be able to log in with the passkey “{passkey.name}”. Your other sessions
        end, and withdrawals may be paused for a while.
      </p>
      {remove.isError && (
        <Notice tone="error">
          {getErrorMessage(remove.error, 'The passkey could not be removed. Please try again.')}
        </Notice>
      )}
      <div className="flex justify-end gap-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          look="danger"
          pending={remove.isPending}
          onClick={() => remove.mutate(passkey.id, { onSuccess: onDone })}
        >
          Remove
        </Button>
      </div>
    </div>
  )
}
