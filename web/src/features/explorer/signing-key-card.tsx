import { listKeyTexts } from '@cairn/gateway-contracts/proof'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Allowed } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { explorerQueries, usePermitKeyRotation } from './queries.ts'

/**
 * Lists the public keys of the ledger, and lets an administrator permit the replacement of the
 * newest key.
 */
export function SigningKeyCard({
  verifierKeys,
  hasFailed,
}: {
  verifierKeys: readonly string[]
  /** True if the keys could not be loaded. */
  hasFailed: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const { data: signingKey } = useQuery(explorerQueries.readSigningKey())
  const permit = usePermitKeyRotation()
  const setDialog = (open: boolean) => {
    permit.reset()
    setOpen(open)
  }
  return (
    <Card>
      <CardHeader
        title="Public keys"
        note="Oldest first"
        action={
          <Allowed permission="ledger.permitKey">
            <Button
              disabled={signingKey === undefined || signingKey.verifierKey === null}
              onClick={() => setDialog(true)}
            >
              Permit a new key
            </Button>
          </Allowed>
        }
      />
      <div className="grid gap-4 p-5 text-14">
        <WaitingChanges kind="signing-key-rotation" />
        {typeof signingKey?.permittedUntil === 'string' && (
          <Notice tone="info">
            A new key is permitted until <DateText at={signingKey.permittedUntil} format="moment" />
            . Stop the platform and run <code>npm run ledger -- rotate-signing-key</code> on the
            server.
          </Notice>
        )}
        <ul className="grid min-h-15 content-start gap-2 sm:min-h-5">
          {hasFailed && (
            <li className="text-muted">The keys appear when the checkpoints have loaded.</li>
          )}
          {!hasFailed && verifierKeys.length === 0 && (
            <li className="text-muted">No public keys yet.</li>
          )}
          {listKeyTexts(verifierKeys).map((key) => (
            <li key={key}>
              <code className="break-all">{key}</code>
            </li>
          ))}
        </ul>
      </div>
      <Dialog open={isOpen} onOpenChange={setDialog} title="Permit a new signing key">
        <ReasonStep
          text="Within seven days, an operator can replace the signing key on the server. The old key signs the change, and receipts issued before it stay valid. While dual control is required, a second administrator must approve."
          button="Permit a new key"
          look="primary"
          act={permit}
          fallback="The new key could not be permitted."
          onDone={() => {
            notifySuccess('A new signing key is permitted for seven days.')
            setDialog(false)
          }}
          onBack={() => setDialog(false)}
        />
      </Dialog>
    </Card>
  )
}
