import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { formatMoney, toAmountText } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { AmountField, parseTypedAmount } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select, Textarea } from '../../shared/ui/inputs.tsx'
import { useMoneyReasonHint } from '../changes/index.ts'
import { type ReserveAct, useReserveAction } from './queries.ts'

export const RESERVE_ACTS = {
  fund: { title: 'Pay into the reserve', button: 'Pay in' },
  withdraw: { title: 'Take out of the reserve', button: 'Take out' },
  sweep: { title: 'Move earnings to the reserve', button: 'Move' },
} as const
export type ReserveActName = keyof typeof RESERVE_ACTS

const CONSEQUENCES = {
  fund: (amount: string) => `${amount} of the operator’s own money is added to the reserve.`,
  withdraw: (amount: string) => `${amount} leaves the reserve and the operator’s cash.`,
  sweep: (amount: string) => `${amount} of earnings are moved to the reserve.`,
} as const

export function ReserveForm({ act, onDone }: { act: ReserveActName; onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [from, setFrom] = useState<'fees' | 'income'>('fees')
  const [isChecked, setChecked] = useState(false)
  const hint = useMoneyReasonHint()
  const move = useReserveAction()
  const served = getFieldErrors(move.error)
  const amount = parseTypedAmount(typed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (move.isPending || amount === null) return
    const text = toAmountText(amount)
    const wanted: ReserveAct =
      act === 'sweep' ? { act, amount: text, from, note } : { act, amount: text, note }
    move.mutate(wanted, {
      onSuccess: () => {
        toast.success('Recorded in the ledger.')
        onDone()
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {act === 'sweep' && (
        <Field label="From" error={served.from}>
          {(ids) => (
            <Select
              {...ids}
              value={from}
              onChange={(event) => setFrom(event.target.value === 'income' ? 'income' : 'fees')}
            >
              <option value="fees">Fees</option>
              <option value="income">Plan income</option>
            </Select>
          )}
        </Field>
      )}
      <AmountField value={typed} onChange={setTyped} isChecked={isChecked} error={served.amount} />
      <Field label="Note" optional hint={hint} error={served.note}>
        {(ids) => (
          <Textarea
            {...ids}
            rows={2}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      {amount !== null && <Consequence>{CONSEQUENCES[act](formatMoney(amount))}</Consequence>}
      <ActFailure error={move.error} fallback="The movement was not recorded." />
      <Button type="submit" look="primary" pending={move.isPending} className="justify-self-end">
        {RESERVE_ACTS[act].button}
      </Button>
    </form>
  )
}
