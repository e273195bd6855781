import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'

import { toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { formatDay } from '../../shared/ui/chart-parts.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { statsQueries } from '../charts/index.ts'

const PromisesChart = lazy(async () => ({
  default: (await import('./promises-chart.tsx')).PromisesChart,
}))

/** Shows the profit and the principal that fall due per day. */
export function PromisesCard() {
  const query = useQuery(statsQueries.maturities())
  const days = (query.data?.byDay ?? []).map(({ day, count, principal, profit }) => ({
    day,
    count,
    principal: toMinor(principal),
    profit: toMinor(profit),
  }))
  return (
    <ChartCard
      title="Promised profit by maturity"
      query={query}
      failed="The maturities could not be loaded."
      empty="No investment is running."
      table={{
        header: ['Day', 'Investments', 'Profit', 'Principal'],
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
      <PromisesChart days={days} />
    </ChartCard>
  )
}
