import type { WalletName } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { type FormEvent, useState } from 'react'
import { getFieldErrors, getWaitingRequest } from '../../shared/api/failure.ts'
import { formatMoney, toAmountText } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { AmountField, parseTypedAmount } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { notifyError, notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonField } from '../../shared/ui/reason-field.tsx'
import { useMoneyReasonHint } from '../changes/index.ts'
import { type User, useFundWallet } from './queries.ts'

const WALLETS: ReadonlyArray<{ name: WalletName; label: string; source: string }> = [
  { name: 'balance', label: WALLET_LABELS.balance, source: 'adjustments' },
  { name: 'profit', label: WALLET_LABELS.profit, source: 'the reserve' },
  { name: 'referralBalance', label: WALLET_LABELS.referralBalance, source: 'marketing' },
]
const CATEGORIES = ['Correction', 'Goodwill', 'Promotion', 'Other'] as const

export function FundForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [walletName, setWalletName] = useState<WalletName>('balance')
  const [typed, setTyped] = useState('')
  const [category, setCategory] = useState<string>(CATEGORIES[0])
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const fund = useFundWallet()
  const hint = useMoneyReasonHint()
  const amount = parseTypedAmount(typed)
  const wallet = WALLETS.find(({ name }) => name === walletName)
  const served = getFieldErrors(fund.error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (fund.isPending || amount === null || reason.trim() === '') return
    const body = { wallet_type: walletName, amount: toAmountText(amount), category, reason }
    fund.mutate(
      { id: user.id, body },
      {
        onSuccess: () => {
          notifySuccess('Wallet funded successfully!')
          onDone()
        },
        onError: (error) => {
          if (getWaitingRequest(error) === null) notifyError('Something went very wrong!')
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
              setWalletName(
                WALLETS.find(({ name }) => name === event.target.value)?.name ?? 'balance',
              )
            }
          >
            {WALLETS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AmountField value={typed} onChange={setTyped} isChecked={isChecked} error={served.amount} />
      <Field label="Category" error={served.category}>
        {(ids) => (
          <Select {...ids} value={category} onChange={(event) => setCategory(event.target.value)}>
            {CATEGORIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
      <ReasonField
        value={reason}
        onChange={setReason}
        hint={hint}
        isChecked={isChecked}
        error={served.reason}
      />
      {amount !== null && (
        <Consequence>
          {formatMoney(amount)} is added to the {wallet?.label} of {user.name}, from{' '}
          {wallet?.source}. {user.name} is notified by email.
        </Consequence>
      )}
      <ActFailure error={fund.error} fallback="The wallet could not be funded." />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone} disabled={fund.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" pending={fund.isPending}>
          Fund wallet
        </Button>
      </div>
    </form>
  )
}
