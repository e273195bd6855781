import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Progress } from '../../shared/ui/progress.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { describeProgress } from '../investments/index.ts'

export function InvestmentCard({ progress }: { progress: InvestmentProgress }) {
  const { investment } = progress
  const { percent, words } = describeProgress(progress)
  const name = investment.plan.name ?? 'No Plan'
  return (
    <li className="wrap-anywhere grid grid-cols-1 gap-3 px-5 py-4 text-14">
      <div className="flex items-baseline justify-between gap-4">
        <Link
          to={`/manage/investor/investments?investment=${investment.id}`}
          className="-my-1 min-w-6 rounded-sm py-1 font-medium hover:underline"
        >
          {name}
        </Link>
        <MoneyText minor={toMinor(investment.amount)} className="font-medium" />
      </div>
      <Progress percent={percent} label={`Progress of ${name}`} text={words} />
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-12 text-muted">
        <span className="tabular">
          {words}, ends <DateText at={investment.expiryDate} format="day" />
        </span>
        <span>
          Profit <MoneyText minor={toMinor(investment.profit)} className="text-ink" /> of{' '}
          <MoneyText minor={toMinor(investment.expectedProfit)} />
        </span>
      </div>
    </li>
  )
}
