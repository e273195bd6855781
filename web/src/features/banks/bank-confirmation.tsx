import { type FormEvent, useId, useState } from 'react'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CodeInput } from '../../shared/ui/code-input.tsx'
import { useCountdown } from '../../shared/ui/countdown.ts'
import { FieldError } from '../../shared/ui/field.tsx'
import { DemoMailNotice } from '../settings/index.ts'
import { type BankAccount, useConfirmBank, useResendBankCode } from './queries.ts'

const DIGITS = 6

/**
 * Confirms a new bank account with the code mailed to its owner. Money can be withdrawn only to a
 * confirmed account.
 */
export function BankConfirmation({ account }: { account: BankAccount }) {
  const errorId = useId()
  const [code, setCode] = useState('')
  const confirm = useConfirmBank()
  const resend = useResendBankCode()
  const [left, setLeft] = useCountdown(0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate({ id: account.id, code }, { onError: () => setCode('') })
  }
  const refusal = confirm.isError
    ? (getFieldErrors(confirm.error).code ??
      getErrorMessage(confirm.error, 'The code could not be checked. Please try again.'))
    : null
  return (
    <form onSubmit={submit} className="grid gap-3 rounded-card bg-sunken p-4">
      <p className="text-14">Enter the six-digit code that was mailed to you.</p>
      <CodeInput
        length={DIGITS}
        value={code}
        onChange={setCode}
        label={`Code for ${account.bankName}`}
        invalid={refusal !== null}
        describedBy={errorId}
      />
      <div id={errorId} aria-live="polite">
        {refusal !== null && <FieldError>{refusal}</FieldError>}
        {resend.isError && (
          <FieldError>{getErrorMessage(resend.error, 'The code could not be sent.')}</FieldError>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          size="small"
          look="primary"
          disabled={code.length !== DIGITS}
          pending={confirm.isPending}
        >
          Confirm
        </Button>
        <Button
          size="small"
          look="quiet"
          disabled={left > 0}
          pending={resend.isPending}
          onClick={() =>
            resend.mutate(account.id, { onSuccess: ({ retryAfter }) => setLeft(retryAfter) })
          }
        >
          Send a new code{left > 0 && <span className="tabular"> in {formatWait(left)}</span>}
        </Button>
      </div>
      <DemoMailNotice />
    </form>
  )
}

/** A wait of several minutes is stated in minutes, because a running count of seconds misleads. */
function formatWait(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}
