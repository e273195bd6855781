import { useState } from 'react'
import { getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { usePermitImport } from './queries.ts'

const SHA256_CHARACTERS = 64

/**
 * Lets an administrator permit the import of a file of opening balances. The operator then runs the
 * import on the server.
 */
export function OpeningBalancesCard() {
  const [isOpen, setOpen] = useState(false)
  const [sha256, setSha256] = useState('')
  const permit = usePermitImport(sha256.trim())
  const setDialog = (open: boolean) => {
    permit.reset()
    setSha256('')
    setOpen(open)
  }
  return (
    <Card>
      <CardHeader
        title="Opening balances"
        action={<Button onClick={() => setDialog(true)}>Permit an import</Button>}
      />
      <div className="grid gap-4 p-5 text-14">
        <WaitingChanges kind="balance-import" />
        <p>
          An operator can import balances of another system with{' '}
          <code>npm run ledger -- import-balances</code> on the server. While dual control is
          required, two administrators must first permit the file.
        </p>
      </div>
      <Dialog open={isOpen} onOpenChange={setDialog} title="Permit an import of opening balances">
        <div className="grid gap-4">
          <Field
            label="SHA-256 of the file"
            hint="The import command prints it; compare it with your own copy of the file."
            error={getFieldErrors(permit.error).sha256}
          >
            {(ids) => (
              <Input
                {...ids}
                value={sha256}
                maxLength={SHA256_CHARACTERS}
                spellCheck={false}
                onChange={(event) => setSha256(event.target.value)}
              />
            )}
          </Field>
          <ReasonStep
            text="Within seven days, an operator can import this file on the server. Each line becomes a balance in the ledger."
            button="Permit the import"
            look="primary"
            act={permit}
            fallback="The import was not permitted."
            disabled={sha256.trim().length !== SHA256_CHARACTERS}
            onDone={() => {
              notifySuccess('The import of this file is permitted for seven days.')
              setDialog(false)
            }}
            onBack={() => setDialog(false)}
          />
        </div>
      </Dialog>
    </Card>
  )
}
