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
import {
  type DueDay,
  fillDueDays,
  type Maturities,
  sumDue,
  sumPromised,
  toDueDays,
} from './due-days.ts'

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
  /** If true, the card shows only the next 30 days instead of 90. */
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
      note={isNear ? undefined : 'Next 90 days'}
      lead={
        <div className="grid gap-1">
          <p className={isNear ? 'min-h-5 text-14' : 'min-h-10 text-14'}>
            {query.data !== undefined &&
              (isNear ? <DueTotal days={days} /> : <ProfitTotal due={query.data} days={days} />)}
          </p>
          <ChartLegend series={isNear ? NEAR_SERIES : PROFIT_SERIES} />
        </div>
      }
      query={query}
      failed="The maturities could not be loaded."
      empty={
        isNear
          ? 'No investment ends in the next 30 days.'
          : 'No investment ends in the next 90 days.'
      }
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
function DueTotal({ days }: { days: readonly DueDay[] }) {
  const { principal, profit } = sumDue(days)
  return (
    <>
      <MoneyText minor={principal} className="font-medium" /> principal,{' '}
      <MoneyText minor={profit} className="font-medium" /> profit until then
    </>
  )
}

/** States which share of all promised profit falls due on the shown days. */
function ProfitTotal({ due, days }: { due: Maturities; days: readonly DueDay[] }) {
  const { count, principal, profit } = sumDue(days)
  return (
    <>
      <MoneyText minor={profit} className="font-medium" /> of{' '}
      <MoneyText minor={sumPromised(due)} className="font-medium" /> promised profit, on{' '}
      <MoneyText minor={principal} className="font-medium" /> principal in{' '}
      {formatCounted(count, 'investment')}
    </>
  )
}
