import { closeMyAccount, downloadMyData, toPath } from '@cairn/gateway-contracts'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { ACCOUNT_CLOSED } from '../../shared/session/login-messages.ts'
import { forgetStoredUser } from '../../shared/session/stored-user.ts'
import { Button, DOWNLOAD_LINK } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { OwnPasswordField } from '../../shared/ui/own-password-field.tsx'

/** Lets the user export the personal data and close the account. */
export function ClosingCard() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card>
      <CardHeader title="Your data and your account" />
      <div className="grid gap-6 p-5 text-14">
        <div className="grid gap-3">
          <p className="text-muted">
            The data of your account as one JSON file: your profile, bank accounts, transactions,
            investments, notifications, sessions and activity.
          </p>
          <a href={toPath(downloadMyData, {})} download className={`${DOWNLOAD_LINK} w-fit`}>
            <Download aria-hidden="true" className="size-4" />
            Download my data
          </a>
        </div>
        <div className="grid gap-3 border-line border-t pt-5">
          <p className="text-muted">
            An account can be closed once it holds no money, no pending request and no running
            investment. This cannot be undone.
          </p>
          <Button look="danger" className="w-fit" onClick={() => setAsking(true)}>
            Close my account
          </Button>
        </div>
      </div>
      <Dialog open={isAsking} onOpenChange={setAsking} title="Close your account permanently?">
        <ClosingForm onBack={() => setAsking(false)} />
      </Dialog>
    </Card>
  )
}

function useCloseAccount() {
  return useMutation({
    mutationFn: (password: string) => call(closeMyAccount, { body: { password } }),
    onSuccess: () => {
      forgetStoredUser()
      // This call loads the whole page, so that no data of the account stays in memory.
      window.location.assign(`/users/login?${new URLSearchParams({ message: ACCOUNT_CLOSED })}`)
    },
  })
}

function ClosingForm({ onBack }: { onBack: () => void }) {
  const closing = useCloseAccount()
  const [password, setPassword] = useState('')
  const served = getFieldErrors(closing.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!closing.isPending) closing.mutate(password)
  }
  return (
    <form onSubmit={submit} className="grid gap-5 text-14">
      <p>
        Your profile, your bank accounts, your payment proofs and your notifications are erased, and
        you are logged out everywhere. Ledger events are kept without your name. We send one last
        email.
      </p>
      <p>The account cannot be restored. Download your data first if you need it.</p>
      <OwnPasswordField value={password} onChange={setPassword} error={served.password} />
      {closing.isError && served.password === undefined && (
        <Notice tone="error">
          {getErrorMessage(closing.error, 'The account was not closed.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" pending={closing.isPending}>
          Close my account
        </Button>
        <Button onClick={onBack}>Keep it</Button>
      </div>
    </form>
  )
}
