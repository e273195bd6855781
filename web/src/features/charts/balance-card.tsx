import type { UserStats } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { getFirstDayOfRange, RANGES } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { useChartRange } from '../preferences/index.ts'
import { chartQueries } from './queries.ts'
import { toHoldings } from './series.ts'

const BalanceChart = lazy(async () => ({
  default: (await import('./balance-chart.tsx')).BalanceChart,
}))
const OPTIONS = RANGES.map((range) => [range, range === 'MAX' ? 'Max' : range] as const)

type BalanceCardProps = { stats: UserStats | undefined; hasFailed: boolean }

export function BalanceCard({ stats, hasFailed }: BalanceCardProps) {
  const [range, setRange] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange(range ?? '3M', today)
  const asked = chartQueries.history({ from, timeZone })
  const history = useQuery({ ...asked, enabled: range !== null })
  const holdings = toHoldings(history.data?.points ?? [], today)
  return (
    <ChartCard
      title="Balance over time"
      action={
        <RangePicker
          label="Time range"
          ranges={OPTIONS}
          value={range ?? '3M'}
          onChange={setRange}
        />
      }
      lead={
        stats === undefined ? (
          <FigurePlaceholder hasFailed={hasFailed} className="h-16 w-72" />
        ) : (
          <WalletShares stats={stats} />
        )
      }
      query={history}
      failed="Your balance over time could not be loaded."
      empty="The chart starts with your first deposit."
      table={{
        header: ['Day', 'Available', 'Held', 'Invested', 'Total'],
        rows: holdings.toReversed().map((each) => ({
          key: each.day,
          cells: [
            <DateText key="day" at={each.day} format="day" />,
            <MoneyText key="available" minor={each.available} />,
            <MoneyText key="held" minor={each.held} />,
            <MoneyText key="invested" minor={each.invested} />,
            <MoneyText key="total" minor={each.total} />,
          ],
        })),
      }}
    >
      <BalanceChart holdings={holdings} />
    </ChartCard>
  )
}

/** Shows the investor's total, split by account. */
function WalletShares({ stats }: { stats: UserStats }) {
  const sum = (amounts: UserStats['wallet']): Minor =>
    toMinor(amounts.balance) + toMinor(amounts.profit) + toMinor(amounts.referralBalance)
  const available = sum(stats.wallet)
  const held = sum(stats.held)
  const invested = toMinor(stats.invested)
  const parts = [
    { name: 'Available', minor: available },
    { name: 'Held', minor: held },
    { name: 'Invested', minor: invested },
    { name: 'Profit so far', minor: toMinor(stats.total_profit) },
  ]
  return (
    <div className="grid gap-2">
      <p className="font-semibold text-28 tracking-tight">
        <MoneyText minor={available + held + invested} large />
      </p>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-14">
        {parts.map(({ name, minor }) => (
          <div key={name} className="flex gap-2">
            <dt className="text-muted">{name}</dt>
            <dd>
              <MoneyText minor={minor} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
