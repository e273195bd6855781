import type { WalletName } from '@cairn/gateway-contracts'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'

import { fieldErrorsOf, messageOf } from '../../api/failure.ts'
import { formatMoney, parseMoney, toAmountText } from '../../money/money.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyInput, Select, Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type User, useFundWallet } from './queries.ts'

const WALLETS: ReadonlyArray<{ name: WalletName; label: string; source: string }> = [
  { name: 'balance', label: 'Balance', source: 'adjustments' },
  { name: 'profit', label: 'Profit', source: 'the reserve' },
  { name: 'referralBalance', label: 'Referral balance', source: 'marketing' },
]
const CATEGORIES = ['Correction', 'Goodwill', 'Promotion', 'Other'] as const

export function FundForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [walletName, setWalletName] = useState<WalletName>('balance')
  const [typed, setTyped] = useState('')
  const [category, setCategory] = useState<string>(CATEGORIES[0])
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const fund = useFundWallet()
  const amount = parseMoney(typed)
  const isAmount = amount !== null && amount > 0n
  const wallet = WALLETS.find(({ name }) => name === walletName)
  const served = fieldErrorsOf(fund.error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (fund.isPending || amount === null || !isAmount || reason.trim() === '') return
    const body = { wallet_type: walletName, amount: toAmountText(amount), category, reason }
    fund.mutate(
      { id: user.id, body },
      {
        onSuccess: () => {
          toast.success('Wallet funded successfully!')
          onDone()
        },
        onError: () => toast.error('Something went very wrong!'),
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
      <Field
        label="Amount"
        error={
          (isChecked && !isAmount ? 'Enter an amount with at most two decimals' : null) ??
          served.amount
        }
      >
        {(ids) => (
          <MoneyInput {...ids} value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <Field label="Category" error={served.category}>
        {(ids) => (
          <Select {...ids} value={category} onChange={(event) => setCategory(event.target.value)}>
            {CATEGORIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Reason"
        error={(isChecked && reason.trim() === '' ? 'Give a reason' : null) ?? served.reason}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {amount !== null && isAmount && (
        <p className="rounded-card bg-sunken px-4 py-3 text-14">
          {formatMoney(amount)} is added to the {wallet?.label.toLowerCase()} of {user.name}, from{' '}
          {wallet?.source}. {user.name} is told by e-mail.
        </p>
      )}
      {fund.isError && (
        <Notice tone="error">{messageOf(fund.error, 'The wallet could not be funded.')}</Notice>
      )}
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
