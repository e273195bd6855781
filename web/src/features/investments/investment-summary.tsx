import { sentenceDate } from '../../dates/sentence-date.ts'
import { formatMoney, toMinor } from '../../money/money.ts'
import type { Investment } from './queries.ts'

export function InvestmentSummary({ investment }: { investment: Investment }) {
  const amount = toMinor(investment.amount)
  const profit = toMinor(investment.expectedProfit)
  const back = investment.returnPrincipal ? amount + profit : profit
  return (
    <p>
      You paid {formatMoney(amount)}. You get back {formatMoney(back)} on{' '}
      {sentenceDate(investment.expiryDate)}. Reference{' '}
      <span className="tabular text-ink">{investment.reference}</span>.
    </p>
  )
}
