import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { computeQuote, describeFee, findAmountRefusal } from '../../shared/money/fees.ts'
import {
  formatMoney,
  formatMoneyBriefly,
  type Minor,
  parseMoney,
  toAmountText,
  toMinor,
} from '../../shared/money/money.ts'
import { MoneyField } from '../../shared/ui/amount-field.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RequestForm } from '../../shared/ui/request-form.tsx'
import { bankQueries, maskNumber } from '../banks/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { ReviewTime, type Transaction } from '../transactions/index.ts'
import { BankField } from './bank-field.tsx'
import { describeLimits, findLargestAmount, findLimitRefusal } from './limits.ts'
import { useWithdraw, withdrawalQueries } from './queries.ts'
import type { Source } from './sources.ts'

export const NO_ARRIVAL_DATE =
  'We do not promise an arrival date: a person checks the request and pays it, and then the banks decide.'

type FormProps = {
  source: Source
  available: Minor
  onBack: () => void
  /** `payee` names the bank account of the investor. */
  onSubmitted: (submitted: { transaction: Transaction; payee: string }) => void
}

export function WithdrawalForm({ source, available, onBack, onSubmitted }: FormProps) {
  const settings = useQuery(settingsQueries.readPublic()).data
  const banks = useQuery(bankQueries.listOwnAccounts())
  const accounts = banks.data
  const limits = useQuery(withdrawalQueries.readLimits()).data ?? []
  const [typed, setTyped] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const withdraw = useWithdraw()
  const most = findLargestAmount(available, limits)
  const min = settings === undefined ? null : toMinor(settings.minWithdrawal)
  const refusal =
    findAmountRefusal(typed, { min, max: available, noun: 'withdrawal' }) ??
    findLimitRefusal(parseMoney(typed), limits)
  const usual = accounts?.find(({ isDefault, status }) => isDefault && status === 'usable')
  const bankId = chosenId ?? usual?.id ?? ''
  const bank = accounts?.find(({ id }) => id === bankId) ?? null
  const payee = bank === null ? null : `${bank.bankName}, ${maskNumber(bank.accountNumber)}`
  const served = getFieldErrors(withdraw.error)
  const amount = refusal === null ? parseMoney(typed) : null

  const submit = () => {
    setChecked(true)
    if (amount === null || bank === null || payee === null) return
    withdraw.mutate(
      { amount: toAmountText(amount), source: source.name, bankId: bank.id },
      { onSuccess: ({ transaction }) => onSubmitted({ transaction, payee }) },
    )
  }
  return (
    <RequestForm
      request={withdraw}
      failed="Withdrawal failed. Please try again."
      submitLabel="Request withdrawal"
      isLoading={banks.isPending}
      onSubmit={submit}
      onBack={onBack}
    >
      <Card className="flex flex-wrap items-center justify-between gap-3 p-5">
        <span className="font-semibold text-16">{source.label}</span>
        <span className="text-14 text-muted">
          Available <MoneyText minor={available} className="font-semibold text-16 text-ink" />
        </span>
      </Card>
      <div className="grid gap-2">
        <MoneyField
          hint={
            settings === undefined || min === null
              ? 'Up to the available amount.'
              : `From ${formatMoneyBriefly(min)} to the available amount (${describeFee(settings.withdrawalFee)}).`
          }
          value={typed}
          onChange={setTyped}
          error={(isChecked ? refusal : null) ?? served.amount}
        />
        {most >= (min ?? 1n) && (
          <Button size="small" className="w-fit" onClick={() => setTyped(toAmountText(most))}>
            {most < available ? 'Withdraw the maximum' : 'Withdraw all of this wallet'}:{' '}
            {formatMoney(most)}
          </Button>
        )}
      </div>
      {limits.length > 0 && <p className="-mt-2 text-14 text-muted">{describeLimits(limits)}</p>}
      <BankField
        value={bankId}
        onChange={setChosenId}
        error={(isChecked && bank === null ? 'Choose a bank account' : null) ?? served.bank_id}
      />
      {amount !== null && settings !== undefined && (
        <Summary
          source={source}
          amount={amount}
          feePercent={settings.withdrawalFee}
          payee={payee}
        />
      )}
      <ReviewTime of={{ type: 'withdrawal' }} />
      <p className="-mt-3 text-14 text-muted">{NO_ARRIVAL_DATE}</p>
    </RequestForm>
  )
}

function Summary({
  source,
  amount,
  feePercent,
  payee,
}: {
  source: Source
  amount: Minor
  feePercent: number
  payee: string | null
}) {
  const quote = computeQuote(amount, feePercent)
  return (
    <section aria-label="Summary" aria-live="polite" className="rounded-card bg-sunken p-4">
      <p className="mb-3 text-14">
        When you send the request, <strong>{formatMoney(quote.amount)}</strong> of your{' '}
        {source.label} is held. A person checks the request, pays{' '}
        <strong>{formatMoney(quote.net)}</strong> to your bank account and then approves the
        request.
      </p>
      <FactList>
        <Fact name={`Fee (${feePercent}%)`}>{formatMoney(quote.fee)}</Fact>
        <Fact name="You receive">{formatMoney(quote.net)}</Fact>
        {payee !== null && <Fact name="Paid to">{payee}</Fact>}
      </FactList>
    </section>
  )
}
