import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { computeQuote, findAmountRefusal } from '../../shared/money/fees.ts'
import {
  formatMoney,
  formatMoneyBriefly,
  parseMoney,
  toAmountText,
  toMinor,
} from '../../shared/money/money.ts'
import { MoneyField } from '../../shared/ui/amount-field.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { FileDrop } from '../../shared/ui/file-drop.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { describePictureLimits, findReceiptRefusal } from '../../shared/ui/picture-file.ts'
import { RequestForm } from '../../shared/ui/request-form.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { PaymentOption } from '../payment-options/index.ts'
import { type PublicSettings, settingsQueries } from '../settings/index.ts'
import { ReviewTime, type Transaction } from '../transactions/index.ts'
import { OptionDetails } from './option-details.tsx'
import { depositQueries, getUnansweredReference, useDeposit } from './queries.ts'
import { QuotedReference } from './quoted-reference.tsx'

type DepositFormProps = {
  option: PaymentOption
  /** The amount that the form contains at first. */
  suggested: string
  onBack: () => void
  onSubmitted: (transaction: Transaction) => void
}

export function DepositForm({ option, suggested, onBack, onSubmitted }: DepositFormProps) {
  const settings = useQuery(settingsQueries.readPublic()).data
  const [typed, setTyped] = useState(suggested)
  const [receipt, setReceipt] = useState<File | null>(null)
  const [isChecked, setChecked] = useState(false)
  const [hash, setHash] = useState('')
  const issued = useQuery(depositQueries.readPaymentReference(option.id))
  const deposit = useDeposit()
  const sentReference = getUnansweredReference(deposit)
  const reference = sentReference === undefined ? (issued.data ?? null) : sentReference
  const min = settings === undefined ? null : toMinor(settings.minDeposit)
  const refusal = findAmountRefusal(typed, { min, max: null, noun: 'deposit' })
  const receiptRefusal = findReceiptRefusal(receipt, settings)
  const served = getFieldErrors(deposit.error)

  const submit = () => {
    setChecked(true)
    const amount = parseMoney(typed)
    if (refusal !== null || receiptRefusal !== null) return
    if (amount === null || receipt === null) return
    deposit.mutate(
      { amount: toAmountText(amount), option, receipt, reference, hash },
      { onSuccess: ({ transaction }) => onSubmitted(transaction) },
    )
  }
  return (
    <RequestForm
      request={deposit}
      failed="Deposit failed. Please try again."
      submitLabel="Submit deposit"
      onSubmit={submit}
      onBack={onBack}
    >
      <p className="text-14">
        Send the money first. Then enter the amount and upload your payment proof.
      </p>
      <OptionDetails option={option} />
      <QuotedReference reference={reference} isMissing={issued.isError || sentReference === null} />
      <MoneyField
        hint={`The amount on your payment proof${min === null ? '' : `, at least ${formatMoneyBriefly(min)}`}.`}
        value={typed}
        onChange={setTyped}
        error={(isChecked ? refusal : null) ?? served.amount}
      />
      {option.payOption === 'Crypto Wallet' && (
        <Field
          label="Transaction hash"
          optional
          hint={`The hash of your payment on ${option.bank}, which the reviewer looks up.`}
          error={served.tx_hash}
        >
          {(ids) => (
            <Input
              {...ids}
              maxLength={128}
              autoComplete="off"
              spellCheck={false}
              value={hash}
              onChange={(event) => setHash(event.target.value.trim())}
            />
          )}
        </Field>
      )}
      <FileDrop
        label="Payment proof"
        hint={describePictureLimits(settings)}
        file={receipt}
        onFile={setReceipt}
        error={(isChecked ? receiptRefusal : null) ?? served.receipt ?? null}
      />
      <Consequence typed={typed} isRefused={refusal !== null} settings={settings} />
      <ReviewTime of={{ type: 'deposit', method: option.payOption }} />
    </RequestForm>
  )
}

/** Shows the fee and the credited amount before the submit button. */
function Consequence({
  typed,
  isRefused,
  settings,
}: {
  typed: string
  isRefused: boolean
  settings: PublicSettings | undefined
}) {
  if (settings === undefined) return <Skeleton className="h-16 w-full rounded-card" />
  const amount = parseMoney(typed)
  const quote = amount === null || isRefused ? null : computeQuote(amount, settings.depositFee)
  return (
    <p aria-live="polite" className="rounded-card bg-sunken px-4 py-3 text-14">
      {quote === null ? (
        <>
          The deposit fee is {settings.depositFee}%. The amount is added to your Wallet Balance
          after a person has checked your payment proof.
        </>
      ) : (
        <>
          You send <strong>{formatMoney(quote.amount)}</strong>. The fee of {settings.depositFee}%
          is <strong>{formatMoney(quote.fee)}</strong>. <strong>{formatMoney(quote.net)}</strong> is
          added to your Wallet Balance after a person has checked your payment proof.
        </>
      )}
    </p>
  )
}
