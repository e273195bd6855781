import { computeAnnualPercent } from '@cairn/gateway-contracts/annual-rate'
import { useQuery } from '@tanstack/react-query'

import { formatMoney, parseMoney } from '../../shared/money/money.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { adminSettingsQueries } from '../settings/index.ts'
import { computeLoss, computePayout } from './payout.ts'
import { toRateTerms } from './typed-terms.ts'

const SAMPLE_MINOR = 100_000n

type Typed = {
  planDuration: string
  timingParameter: 'hours' | 'days'
  percentage: string
  minDeposit: string
  returnPrincipal: boolean
}

/** Shows the result of the terms while they are edited. */
export function TermsPreview({ typed }: { typed: Typed }) {
  const warningFrom = useQuery(adminSettingsQueries.readSettings()).data?.settings.payment
    .annualRateWarning
  const rateTerms = toRateTerms(typed)
  if (rateTerms === null) return null
  const annual = computeAnnualPercent(rateTerms)
  const { timingParameter, returnPrincipal } = typed
  const min = parseMoney(typed.minDeposit)
  const principal = min !== null && min > SAMPLE_MINOR ? min : SAMPLE_MINOR
  const terms = {
    planDuration: Number.parseInt(typed.planDuration, 10),
    percentage: typed.percentage.trim(),
    timingParameter,
    returnPrincipal,
  }
  const { profit, back } = computePayout(terms, principal, 0)
  const loss = computeLoss(terms, principal)
  return (
    <div className="grid gap-3">
      <p className="rounded-card bg-sunken px-4 py-3 text-14" aria-live="polite">
        An investor who pays {formatMoney(principal)} gets back {formatMoney(back)} after{' '}
        {typed.planDuration} {timingParameter}: {formatMoney(profit)} of profit
        {returnPrincipal ? ' and the principal' : ', without the principal'}.
        {loss === 0n && (
          <>
            {' '}
            That is{' '}
            <span className="tabular font-semibold">{annual.toLocaleString('en-US')}% a year</span>.
          </>
        )}
      </p>
      {loss > 0n && (
        <Notice tone="error">
          Investors lose money with this plan: {formatMoney(loss)} of every {formatMoney(principal)}
          . Raise the percentage to 100 or more, or return the principal at the end.
        </Notice>
      )}
      {loss === 0n && warningFrom !== undefined && annual > BigInt(warningFrom) && (
        <Notice tone="warning">
          Above {warningFrom}% a year. Regulators see a high fixed return as a sign of fraud. Before
          you offer this plan, be able to explain the source of the return, and pay the promised
          profit into the reserve.
        </Notice>
      )}
    </div>
  )
}
