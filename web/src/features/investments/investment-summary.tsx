import { formatDate } from '../../shared/dates/format-date.ts'
import { formatMoney, toMinor } from '../../shared/money/money.ts'
import type { Investment } from './queries.ts'

export function InvestmentSummary({ investment }: { investment: Investment }) {
  const amount = toMinor(investment.amount)
  const profit = toMinor(investment.expectedProfit)
  const back = investment.returnPrincipal ? amount + profit : profit
  return (
    <p>
      You paid {formatMoney(amount)}. By {formatDate(investment.expiryDate, 'day')},{' '}
      {formatMoney(back)} is due to you in total. Reference{' '}
      <span className="tabular text-ink">{investment.reference}</span>.
    </p>
  )
}
