import { addDays } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'

import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend, formatDay } from '../../shared/ui/chart-parts.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { statsQueries } from '../charts/index.ts'
import { type DueDay, fillDueDays, sumDue, toDueDays } from './due-days.ts'

const NEAR_DAYS = 30
const SERIES = [
  ['solid', 'Principal'],
  ['light', 'Profit'],
] as const
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
  const today = new Date().toISOString().slice(0, 10)
  const all = toDueDays(query.data?.byDay ?? [])
  const days = isNear ? all.filter(({ day }) => day < addDays(today, NEAR_DAYS)) : all
  const lastDay = isNear ? addDays(today, NEAR_DAYS - 1) : (days.at(-1)?.day ?? today)
  return (
    <ChartCard
      title={isNear ? 'Maturities of the next 30 days' : 'Promised profit by maturity'}
      lead={
        <div className="flex min-h-5 flex-wrap justify-between gap-x-5 gap-y-1">
          <p className="text-14">
            {query.data !== undefined && <DueTotal days={days} withCount={!isNear} />}
          </p>
          {isNear && <ChartLegend series={SERIES} />}
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
            formatDay(day),
            count,
            <MoneyText key="profit" minor={profit} />,
            <MoneyText key="principal" minor={principal} />,
          ],
        })),
      }}
    >
      <PromisesChart
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
