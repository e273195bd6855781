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
    <li className="wrap-anywhere grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-5 py-2 text-14 sm:gap-x-6 sm:grid-cols-[minmax(0,13rem)_1fr_minmax(11rem,auto)]">
      <div className="grid min-w-0">
        <Link
          to={`/manage/investor/investments?investment=${investment.id}`}
          className="relative w-fit min-w-6 rounded-sm py-0.5 font-medium hover:underline"
        >
          {name}
        </Link>
        <span className="tabular text-12 text-muted">
          {words}, ends <DateText at={investment.expiryDate} format="day" />
        </span>
      </div>
      <Progress
        percent={percent}
        label={`Progress of ${name}`}
        text={words}
        className="col-span-2 row-start-2 sm:col-span-1 sm:col-start-2 sm:row-start-1"
      />
      <div className="grid gap-0.5 text-right">
        <MoneyText minor={toMinor(investment.amount)} className="font-medium" />
        <span className="whitespace-nowrap text-12 text-muted">
          <MoneyText minor={toMinor(investment.profit)} className="text-ink" /> of{' '}
          <MoneyText minor={toMinor(investment.expectedProfit)} /> profit
        </span>
      </div>
    </li>
  )
}
