import { addDays } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'

import { useReaderClock } from '../../shared/dates/periods.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend } from '../../shared/ui/chart-legend.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { statsQueries } from '../charts/index.ts'
import { type DueDay, fillDueDays, sumDue, toDueDays } from './due-days.ts'

const NEAR_DAYS = 30
const NEAR_SERIES = [
  ['solid', 'Principal'],
  ['dotted', 'Profit'],
] as const
const PROFIT_SERIES = [['solid', 'Profit']] as const
const PromisesChart = lazy(async () => ({
  default: (await import('./promises-chart.tsx')).PromisesChart,
}))

type PromisesProps = {
  /** If true, the card shows only the next 30 days instead of all days. */
  isNear?: boolean
}

/** Shows the profit and the principal that fall due per day. */
export function PromisesCard({ isNear = false }: PromisesProps) {
  const query = useQuery(statsQueries.readMaturities())
  const { today } = useReaderClock()
  const all = toDueDays(query.data?.byDay ?? [], today)
  const days = isNear ? all.filter(({ day }) => day < addDays(today, NEAR_DAYS)) : all
  const lastDay = isNear ? addDays(today, NEAR_DAYS - 1) : (days.at(-1)?.day ?? today)
  const title = isNear ? 'Maturities of the next 30 days' : 'Promised profit by maturity'
  return (
    <ChartCard
      title={title}
      lead={
        <div className="grid gap-1">
          <p className="min-h-5 text-14">
            {query.data !== undefined && <DueTotal days={days} withCount={!isNear} />}
          </p>
          <ChartLegend series={isNear ? NEAR_SERIES : PROFIT_SERIES} />
        </div>
      }
      query={query}
      failed="The maturities could not be loaded."
      empty={isNear ? 'No investment ends in the next 30 days.' : 'No investment is running.'}
      table={{
        header: ['Day', 'Investments', 'Profit until then', 'Principal'],
        terms: { Principal: 'principal' },
        rows: days.map(({ day, count, principal, profit }) => ({
          key: day,
          cells: [
            <DateText key="day" at={day} format="day" />,
            count,
            <MoneyText key="profit" minor={profit} />,
            <MoneyText key="principal" minor={principal} />,
          ],
        })),
      }}
    >
      <PromisesChart
        title={title}
        days={fillDueDays(days, { from: today, to: lastDay })}
        withPrincipal={isNear}
      />
    </ChartCard>
  )
}

/** States what falls due on all shown days together. The profit is credited until these days. */
function DueTotal({ days, withCount }: { days: readonly DueDay[]; withCount: boolean }) {
  const { count, principal, profit } = sumDue(days)
  return (
    <>
      <MoneyText minor={principal} className="font-medium" /> principal,{' '}
      <MoneyText minor={profit} className="font-medium" /> profit until then
      {withCount && `, ${formatCounted(count, 'investment')}`}
    </>
  )
}
