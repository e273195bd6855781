import { type FormEvent, useId, useState } from 'react'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CodeInput } from '../../shared/ui/code-input.tsx'
import { FieldError } from '../../shared/ui/field.tsx'
import { ResendCodeButton } from '../../shared/ui/resend-code-button.tsx'
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
  const resend = useResendBankCode(account.id)
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
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          size="small"
          look="primary"
          disabled={code.length !== DIGITS}
          pending={confirm.isPending}
        >
          Confirm
        </Button>
        <ResendCodeButton label="Send a new code" size="small" action={resend} />
      </div>
      <DemoMailNotice />
    </form>
  )
}
