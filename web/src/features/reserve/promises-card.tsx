import { addDays } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'

import { toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend, formatDay } from '../../shared/ui/chart-parts.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { statsQueries } from '../charts/index.ts'

const NEAR_DAYS = 30
const SERIES = [
  ['light', 'Principal'],
  ['solid', 'Profit'],
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
  const lastDay = addDays(new Date().toISOString().slice(0, 10), NEAR_DAYS)
  const shown = query.data?.byDay.filter(({ day }) => !isNear || day < lastDay) ?? []
  const days = shown.map(({ day, count, principal, profit }) => ({
    day,
    count,
    principal: toMinor(principal),
    profit: toMinor(profit),
  }))
  return (
    <ChartCard
      title={isNear ? 'Maturities of the next 30 days' : 'Promised profit by maturity'}
      lead={isNear && <ChartLegend series={SERIES} />}
      query={query}
      failed="The maturities could not be loaded."
      empty={isNear ? 'No investment ends in the next 30 days.' : 'No investment is running.'}
      table={{
        header: ['Day', 'Investments', 'Profit', 'Principal'],
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
      <PromisesChart days={days} withPrincipal={isNear} />
    </ChartCard>
  )
}
