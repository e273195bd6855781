import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { formatMoney, toAmountText } from '../../shared/money/money.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { AmountField, parseTypedAmount } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { useMoneyReasonHint } from '../changes/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { CoverageAfter } from './coverage-after-text.tsx'
import { LedgerField } from './ledger-field.tsx'
import { type ReserveAct, useReserveAction } from './queries.ts'

export const RESERVE_ACTS = {
  fund: { title: 'Pay into the reserve', button: 'Pay in' },
  withdraw: { title: 'Take out of the reserve', button: 'Take out' },
  sweep: { title: 'Move earnings to the reserve', button: 'Move' },
} as const
export type ReserveActName = keyof typeof RESERVE_ACTS

const CONSEQUENCES = {
  fund: (amount: string, reserve: string) =>
    `${amount} of the operator’s own money is added to ${reserve}.`,
  withdraw: (amount: string, reserve: string) =>
    `${amount} leaves ${reserve} and the operator’s cash.`,
  sweep: (amount: string, reserve: string) => `${amount} of earnings are moved to ${reserve}.`,
} as const

type ReserveFormProps = {
  act: ReserveActName
  /** The ledger that the page shows; null for all ledgers. */
  shown: number | null
  onDone: () => void
}

export function ReserveForm({ act, shown, onDone }: ReserveFormProps) {
  // The list may be some minutes old. A form without a ledger that was added since would move the
  // money in the first one, so the form waits for the list of now.
  const site = useQuery({ ...settingsQueries.readPublic(), refetchOnMount: 'always' })
  const ledgers = site.data?.ledgers ?? []
  const hasChoice = ledgers.length > 1
  const [chosen, setChosen] = useState(shown)
  const ledger = hasChoice ? chosen : null
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [from, setFrom] = useState<'fees' | 'income'>('fees')
  const [isChecked, setChecked] = useState(false)
  const hint = useMoneyReasonHint()
  const move = useReserveAction()
  const served = getFieldErrors(move.error)
  const amount = parseTypedAmount(typed)
  const isLedgerMissing = hasChoice && ledger === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (move.isPending || amount === null || isLedgerMissing) return
    const moved = { amount: toAmountText(amount), note, ledger }
    const wanted: ReserveAct = act === 'sweep' ? { act, ...moved, from } : { act, ...moved }
    move.mutate(wanted, {
      onSuccess: () => {
        notifySuccess(`Recorded in ${ledger === null ? 'the ledger' : `ledger ${ledger}`}.`)
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
      {hasChoice && (
        <LedgerField
          ledgers={ledgers}
          value={ledger}
          onChange={setChosen}
          account={act === 'sweep' ? from : 'reserve'}
          error={isChecked && isLedgerMissing ? 'Choose a ledger' : served.ledger}
        />
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
      {amount !== null && !isLedgerMissing && (
        <Consequence>
          {CONSEQUENCES[act](
            formatMoney(amount),
            ledger === null ? 'the reserve' : `the reserve of ledger ${ledger}`,
          )}
          {act === 'withdraw' && <CoverageAfter ledger={ledger} amountMinor={amount} />}
        </Consequence>
      )}
      {site.isError && (
        <FailedState
          message="The ledgers of the site could not be loaded."
          error={site.error}
          onRetry={site.refetch}
          pending={site.isFetching}
        />
      )}
      <ActFailure error={move.error} fallback="The movement was not recorded." />
      <Button
        type="submit"
        look="primary"
        pending={move.isPending}
        disabled={!site.isFetchedAfterMount || site.isError}
        className="justify-self-end"
      >
        {RESERVE_ACTS[act].button}
      </Button>
    </form>
  )
}
