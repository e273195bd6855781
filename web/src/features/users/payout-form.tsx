import type { WalletName } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { type FormEvent, useState } from 'react'
import { getFieldErrors } from '../../shared/api/failure.ts'
import { formatMoney, toAmountText, toMinor } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { AmountField, parseTypedAmount } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonField } from '../../shared/ui/reason-field.tsx'
import { type User, usePayOut } from './queries.ts'

const WALLETS: ReadonlyArray<readonly [name: WalletName, label: string]> = [
  ['balance', WALLET_LABELS.balance],
  ['profit', WALLET_LABELS.profit],
  ['referralBalance', WALLET_LABELS.referralBalance],
]

/** Requests the payout for an investor whose account is not active. */
export function PayoutForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [wallet] = user.wallet
  const filled = WALLETS.filter(([name]) => toMinor(wallet?.[name] ?? 0) > 0n)
  const banks = user.bankAccounts.filter(({ status }) => status === 'usable')
  const [walletName, setWalletName] = useState<WalletName>(filled[0]?.[0] ?? 'balance')
  const [bankId, setBankId] = useState(banks[0]?.id ?? '')
  const [typed, setTyped] = useState(toAmountText(toMinor(wallet?.[walletName] ?? 0)))
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const payOut = usePayOut()
  const amount = parseTypedAmount(typed)
  const bank = banks.find(({ id }) => id === bankId)
  const served = getFieldErrors(payOut.error)

  if (filled.length === 0 || banks.length === 0) {
    return (
      <Notice tone="info">
        {filled.length === 0
          ? `${user.name} has no available money.`
          : `${user.name} has no bank account that can be paid to. Activate the account, so that ${user.name} can add one.`}
      </Notice>
    )
  }

  const choose = (name: WalletName) => {
    setWalletName(name)
    setTyped(toAmountText(toMinor(wallet?.[name] ?? 0)))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (payOut.isPending || amount === null || reason.trim() === '') return
    const body = { wallet_type: walletName, amount: toAmountText(amount), bank_id: bankId, reason }
    payOut.mutate(
      { id: user.id, body },
      {
        onSuccess: () => {
          notifySuccess('The payout is requested. It can be approved after it has been paid.')
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="Wallet" error={served.wallet_type}>
        {(ids) => (
          <Select
            {...ids}
            value={walletName}
            onChange={(event) =>
              choose(WALLETS.find(([name]) => name === event.target.value)?.[0] ?? 'balance')
            }
          >
            {filled.map(([name, label]) => (
              <option key={name} value={name}>
                {label}, {formatMoney(toMinor(wallet?.[name] ?? 0))}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AmountField value={typed} onChange={setTyped} isChecked={isChecked} error={served.amount} />
      <Field label="Bank account" error={served.bank_id}>
        {(ids) => (
          <Select {...ids} value={bankId} onChange={(event) => setBankId(event.target.value)}>
            {banks.map(({ id, bankName, accountNumber }) => (
              <option key={id} value={id}>
                {bankName}, {accountNumber}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="Stored in the audit log."
        isChecked={isChecked}
        error={served.reason}
      />
      {amount !== null && bank !== undefined && (
        <Consequence>
          {formatMoney(amount)} is held and waits in the transactions. Where two administrators are
          required, two must approve it, whatever its amount. {user.name} is notified by email.
        </Consequence>
      )}
      <ActFailure error={payOut.error} fallback="The payout could not be requested." />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone} disabled={payOut.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" pending={payOut.isPending}>
          Request payout
        </Button>
      </div>
    </form>
  )
}
