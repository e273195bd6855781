import type { User, WalletName } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { type FormEvent, useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { formatMoney, toAmountText } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { AmountField, parseTypedAmount } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonField } from '../../shared/ui/reason-field.tsx'
import { useMoneyReasonHint } from '../changes/index.ts'
import { useProposeAdjustment } from './queries.ts'

const WALLETS = ['balance', 'profit', 'referralBalance'] as const

/**
 * Proposes a correction of a wallet. The ledger decides whether a second administrator must approve
 * the correction.
 */
export function AdjustmentForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [wallet, setWallet] = useState<WalletName>('balance')
  const [isCredit, setCredit] = useState(false)
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const propose = useProposeAdjustment()
  const hint = useMoneyReasonHint()
  const served = getFieldErrors(propose.error)
  const amount = parseTypedAmount(typed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (propose.isPending || amount === null || reason.trim() === '') return
    const direction = isCredit ? 'credit' : 'debit'
    propose.mutate(
      { user: user.id, wallet_type: wallet, amount: toAmountText(amount), direction, reason },
      {
        onSuccess: () => {
          notifySuccess('The wallet is adjusted.')
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Wallet" error={served.wallet_type}>
          {(ids) => (
            <Select
              {...ids}
              value={wallet}
              onChange={(event) =>
                setWallet(WALLETS.find((name) => name === event.target.value) ?? 'balance')
              }
            >
              {WALLETS.map((name) => (
                <option key={name} value={name}>
                  {WALLET_LABELS[name]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Direction" error={served.direction}>
          {(ids) => (
            <Select
              {...ids}
              value={isCredit ? 'credit' : 'debit'}
              onChange={(event) => setCredit(event.target.value === 'credit')}
            >
              <option value="debit">Debit the wallet</option>
              <option value="credit">Credit the wallet</option>
            </Select>
          )}
        </Field>
      </div>
      <AmountField value={typed} onChange={setTyped} isChecked={isChecked} error={served.amount} />
      <ReasonField
        value={reason}
        onChange={setReason}
        hint={hint}
        isChecked={isChecked}
        error={served.reason}
      />
      {amount !== null && (
        <Consequence>
          {formatMoney(amount)} {isCredit ? 'is added to' : 'is taken out of'} the{' '}
          {WALLET_LABELS[wallet]} of {user.name}.
        </Consequence>
      )}
      <ActFailure error={propose.error} fallback="The adjustment could not be proposed." />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone} disabled={propose.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" pending={propose.isPending}>
          Propose adjustment
        </Button>
      </div>
    </form>
  )
}
