import type { RiskText } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import {
  formatMoneyBriefly,
  type Minor,
  parseMoney,
  toAmountText,
  toMinor,
} from '../../shared/money/money.ts'
import { MoneyField } from '../../shared/ui/amount-field.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Checkbox } from '../../shared/ui/inputs.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { findRefusal, getPlanName, type Plan } from '../plans/index.ts'
import { findRiskText } from '../risk/index.ts'
import { sessionQueries } from '../sessions/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { CoverageNote } from './coverage-note.tsx'
import { useDepositPath } from './deposit-path.ts'
import { PayoutSentence } from './payout-sentence.tsx'
import { type Investment, useOpenInvestment } from './queries.ts'

type InvestFormProps = {
  plan: Plan | null
  /**
   * The available balance; null while the balance loads. Until then, only the server compares the
   * amount with the balance.
   */
  balance: Minor | null
  typed: string
  onTyped: (text: string) => void
  onOpened: (investment: Investment) => void
}

export function InvestForm({ plan, balance, typed, onTyped, onOpened }: InvestFormProps) {
  const titleId = useId()
  // The version of the warning that the user confirmed. A new version must be confirmed again.
  const [confirmedVersion, setConfirmedVersion] = useState<string | null>(null)
  // The plan for which the user confirmed the loss of principal. If the user chooses another plan,
  // the user must confirm again.
  const [consumedFor, setConsumedFor] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const open = useOpenInvestment()
  const refusal = findRefusal(plan, typed, balance)
  const amount = refusal === null ? parseMoney(typed) : null
  // A plan whose minimum is above the balance cannot be opened with any amount.
  const min = plan === null ? 0n : toMinor(plan.minDeposit)
  const isOutOfReach = balance !== null && min > balance
  const isAdvised = isOutOfReach || (isChecked && refusal === 'Insufficient wallet balance')
  const country = useQuery(sessionQueries.me()).data?.country ?? null
  const warning = findRiskText(useQuery(settingsQueries.readPublic()).data, country)
  const hasConfirmedRisk = warning !== undefined && confirmedVersion === warning.version
  const hasConfirmedNoReturn = plan !== null && consumedFor === plan.id
  const hasConfirmedAll =
    hasConfirmedRisk && (plan?.returnPrincipal !== false || hasConfirmedNoReturn)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (open.isPending || plan === null || amount === null || !hasConfirmedAll) return
    open.mutate(
      { plan, amount: toAmountText(amount), riskVersion: confirmedVersion },
      { onSuccess: ({ investment }) => onOpened(investment) },
    )
  }
  return (
    <Card aria-labelledby={titleId} className="p-5 xl:sticky xl:top-24">
      <form onSubmit={submit} noValidate className="grid gap-5">
        <h2 id={titleId} className="font-semibold text-16">
          {plan === null ? 'Your investment' : getPlanName(plan)}
        </h2>
        <MoneyField
          value={typed}
          onChange={onTyped}
          error={(isChecked ? refusal : null) ?? getFieldErrors(open.error).amount}
        />
        <PayoutSentence plan={plan} amount={amount} />
        <Confirmations
          plan={plan}
          hasConfirmedRisk={hasConfirmedRisk}
          warning={warning}
          onRisk={(isConfirmed) =>
            setConfirmedVersion(isConfirmed && warning ? warning.version : null)
          }
          hasConfirmedNoReturn={hasConfirmedNoReturn}
          onConsumed={(isConfirmed) =>
            setConsumedFor(isConfirmed && plan !== null ? plan.id : null)
          }
        />
        {isChecked && !hasConfirmedAll && plan !== null && (
          <Notice tone="warning">Confirm the statements before you invest.</Notice>
        )}
        {open.isError && (
          <Notice tone="error">
            {getErrorMessage(open.error, 'Investment failed. Please try again.')}
          </Notice>
        )}
        <Button type="submit" look="primary" size="large" wide pending={open.isPending}>
          {amount === null ? 'Invest' : `Invest ${formatMoneyBriefly(amount)}`}
        </Button>
        {/* Stands below the button, so that a balance that loads later moves nothing. */}
        <div role="status" className="empty:-mt-5">
          {isAdvised && balance !== null && (
            <BalanceAdvice plan={plan} typed={parseMoney(typed) ?? 0n} balance={balance} />
          )}
        </div>
      </form>
    </Card>
  )
}

type AdviceProps = { plan: Plan | null; typed: Minor; balance: Minor }

/**
 * Leads to a deposit of what the balance lacks for the typed amount, or for the minimum, but never
 * for more than the plan takes.
 */
function BalanceAdvice({ plan, typed, balance }: AdviceProps) {
  const min = plan === null ? 0n : toMinor(plan.minDeposit)
  const max = plan === null || plan.maxDeposit === null ? null : toMinor(plan.maxDeposit)
  const wanted = typed > min ? typed : min
  const missing = (max !== null && wanted > max ? max : wanted) - balance
  const depositPath = useDepositPath(missing)
  if (missing <= 0n) {
    return (
      <Notice tone="info">
        Enter an amount up to {formatMoneyBriefly(max ?? balance)}, the most that this plan takes.
      </Notice>
    )
  }
  return (
    <Notice
      tone="info"
      action={
        <ButtonLink to={depositPath} size="small">
          Deposit Funds
        </ButtonLink>
      }
    >
      {min > balance ? (
        <>
          Your wallet needs <InlineMoney minor={missing} /> more.
        </>
      ) : (
        `Enter an amount up to ${formatMoneyBriefly(balance)} or fund your wallet.`
      )}
    </Notice>
  )
}

type ConfirmationProps = {
  plan: Plan | null
  /**
   * The risk warning; undefined while the warning loads. Until then, the user cannot confirm the
   * warning.
   */
  warning: RiskText | undefined
  hasConfirmedRisk: boolean
  onRisk: (isConfirmed: boolean) => void
  hasConfirmedNoReturn: boolean
  onConsumed: (isConfirmed: boolean) => void
}

function Confirmations({
  plan,
  warning,
  hasConfirmedRisk,
  onRisk,
  hasConfirmedNoReturn,
  onConsumed,
}: ConfirmationProps) {
  const settings = useQuery(settingsQueries.readPublic())
  const mode = settings.data?.coverageMode
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      <p className="text-14 text-muted">
        {mode === 'strict'
          ? 'The whole profit of this term is set aside from the operator’s reserve when you invest. The reserve is the operator’s own money and is not insured.'
          : 'The profit is promised by the operator from its own reserve. The reserve may be smaller than the promised profit, and it is not insured.'}
      </p>
      <CoverageNote />
      {warning !== undefined ? (
        <p className="min-h-25 text-14">
          {warning.text}{' '}
          <a href="/risk" target="_blank" rel="noreferrer" className="text-accent underline">
            Know the risks<span className="sr-only"> (in a new tab)</span>
          </a>
        </p>
      ) : settings.isError ? (
        <FailedState
          message="The risk warning could not be loaded."
          error={settings.error}
          onRetry={settings.refetch}
          pending={settings.isFetching}
        />
      ) : (
        <Skeleton className="h-25 w-full" />
      )}
      <Checkbox
        label="I understand that profit is not guaranteed and that I can lose the money I invest."
        disabled={warning === undefined}
        checked={hasConfirmedRisk}
        onChange={(event) => onRisk(event.target.checked)}
      />
      {plan?.returnPrincipal === false && (
        <Checkbox
          label="I understand that the amount I pay is not returned by this plan."
          checked={hasConfirmedNoReturn}
          onChange={(event) => onConsumed(event.target.checked)}
        />
      )}
    </div>
  )
}
