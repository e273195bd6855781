import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { formatMoney, parseMoney, toAmountText, toMinor } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { focusOnMount } from '../../shared/ui/focus-on-mount.ts'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { MoneyInput } from '../../shared/ui/money-input.tsx'
import { ChangeReason, toReason } from '../changes/index.ts'
import { type PaymentOption, paymentOptionQueries } from '../payment-options/index.ts'
import { type Transaction, useApproveTransaction } from './queries.ts'
import {
  describePayment,
  describeRequest,
  formatAccount,
  getOwner,
  getTransactionTitle,
} from './transaction-labels.ts'

/**
 * The account that the ledger uses if the administrator chooses none; null if there is none,
 * undefined until it is known.
 */
export type UsualAccount = { bank: string; accountNumber: string } | null | undefined

export type StepProps = {
  transaction: Transaction
  onBack: () => void
  onDone: (outcome: string) => void
}

export function Approve({
  transaction,
  usualAccount,
  onBack,
  onDone,
}: StepProps & { usualAccount: UsualAccount }) {
  const [payoutReference, setPayoutReference] = useState('')
  const [payoutOption, setPayoutOption] = useState('')
  const [arrived, setArrived] = useState('')
  const [reason, setReason] = useState('')
  const approve = useApproveTransaction()
  const options = useQuery(paymentOptionQueries.listOptions()).data ?? []
  const isWithdrawal = transaction.type === 'withdrawal'
  const isDeposit = transaction.type === 'deposit'
  const arrivedMinor = parseMoney(arrived)
  const isOther = isDeposit && arrived.trim() !== ''
  const isReadable = !isOther || (arrivedMinor !== null && arrivedMinor > 0n)
  const paying = options.find(({ id }) => id === payoutOption) ?? usualAccount
  const submit = () => {
    if (approve.isPending || !isReadable) return
    const approvedAmount =
      isOther && arrivedMinor !== null ? { approvedAmount: toAmountText(arrivedMinor) } : {}
    const chosen = payoutOption === '' ? {} : { payoutOption }
    // This code uses `mutateAsync`. A callback of `mutate` would not run, because the list may
    // unmount this step before the answer arrives.
    const form = { payoutReference, ...approvedAmount, ...chosen, ...toReason(reason) }
    approve.mutateAsync({ id: transaction.id, ...form }).then(
      ({ transaction: { status } }) => {
        const request = describeRequest(transaction)
        const paidFrom = isWithdrawal ? describePayer(paying) : ''
        onDone(
          status === 'success'
            ? `${getTransactionTitle(transaction)} approved: ${request}.${paidFrom}`
            : `Approved once: ${request}. A second administrator must also approve it.`,
        )
      },
      () => {},
    )
  }
  return (
    <div className="grid w-full gap-3">
      <p className="text-14">{describeConsequence(transaction, isOther)}</p>
      {isDeposit && (
        <Field
          label="Received amount, if different"
          optional
          error={
            (isReadable ? null : 'Enter an amount with at most two decimals') ??
            getFieldErrors(approve.error).approvedAmount
          }
        >
          {(ids) => (
            <MoneyInput
              {...ids}
              value={arrived}
              onChange={(event) => setArrived(event.target.value)}
            />
          )}
        </Field>
      )}
      {isWithdrawal && (
        <Field label="Payout reference" optional>
          {(ids) => (
            <Input
              {...ids}
              maxLength={120}
              value={payoutReference}
              onChange={(event) => setPayoutReference(event.target.value)}
            />
          )}
        </Field>
      )}
      <CashField
        label={isWithdrawal ? 'Paid from' : 'Paid to'}
        usual={describeUsualAccount(usualAccount, isWithdrawal)}
        others={options.filter((option) => !isSameAccount(option, usualAccount))}
        hint={
          isWithdrawal && usualAccount === null
            ? 'No bank account is offered to investors, so choose the account that pays.'
            : undefined
        }
        value={payoutOption}
        onChange={setPayoutOption}
      />
      <ChangeReason
        value={reason}
        onChange={setReason}
        error={getFieldErrors(approve.error).reason}
      />
      <ActFailure error={approve.error} fallback="Failed to approve transaction" />
      <div className="flex justify-end gap-2">
        <ApproveButtons
          label={getApproveLabel(transaction, isOther)}
          pending={approve.isPending}
          onBack={onBack}
          onApprove={submit}
        />
      </div>
    </div>
  )
}

function describeUsualAccount(account: UsualAccount, isWithdrawal: boolean): string {
  if (account === undefined) return 'The default account'
  if (account !== null) return `${formatAccount(account)} (default)`
  return isWithdrawal ? 'Treasury, no payment account' : 'The account shown to the investor'
}

function isSameAccount({ bank, accountNumber }: PaymentOption, other: UsualAccount): boolean {
  return bank === other?.bank && accountNumber === other.accountNumber
}

/** Names the account that paid, as a further sentence; empty if it is not known. */
function describePayer(account: UsualAccount): string {
  if (account === undefined) return ''
  return ` Paid from ${account === null ? 'the treasury' : formatAccount(account)}.`
}

export function ApproveButtons({
  label,
  pending,
  onBack,
  onApprove,
}: {
  label: string
  pending: boolean
  onBack: () => void
  onApprove: () => void
}) {
  return (
    <>
      <Button onClick={onBack} disabled={pending}>
        Back
      </Button>
      <Button ref={focusOnMount} look="primary" pending={pending} onClick={onApprove}>
        {label}
      </Button>
    </>
  )
}

/** Names the effect of an approval. `isOther` is true if it is not for the requested amount. */
export function getApproveLabel({ type, net }: Transaction, isOther: boolean): string {
  const amount = formatMoney(toMinor(net))
  if (type === 'withdrawal') return `Approve payout of ${amount}`
  return isOther ? 'Approve and credit the received amount' : `Approve and credit ${amount}`
}

/** Says what an approval does. `isOther` is true if it is not for the requested amount. */
export function describeConsequence(transaction: Transaction, isOther: boolean): string {
  const net = formatMoney(toMinor(transaction.net))
  if (transaction.type === 'withdrawal') return describePayment(transaction)
  const { name } = getOwner(transaction)
  if (isOther) return `The received amount less the fee is added to the Wallet Balance of ${name}.`
  return `${net} is added to the Wallet Balance of ${name}.`
}

type CashFieldProps = {
  label: string
  usual: string
  /** The accounts other than the usual one. */
  others: readonly PaymentOption[]
  hint: string | undefined
  value: string
  onChange: (id: string) => void
}

/** Lets the administrator choose the cash account that receives or pays the money. */
function CashField({ label, usual, others, hint, value, onChange }: CashFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{usual}</option>
          {others.map((option) => (
            <option key={option.id} value={option.id}>
              {formatAccount(option)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
