import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { getFirstDayOfRange } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { chartQueries } from './queries.ts'
import { toHoldings, toProfitLine } from './series.ts'

const ForecastChart = lazy(async () => ({
  default: (await import('./forecast-chart.tsx')).ForecastChart,
}))

export function ForecastCard() {
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange('3M', today)
  const history = useQuery(chartQueries.history({ from, timeZone }))
  const forecast = useQuery(chartQueries.forecast(timeZone))
  const points = forecast.data?.points ?? []
  const line = toProfitLine(toHoldings(history.data?.points ?? [], today), points, today)
  return (
    <ChartCard
      title="Expected profit"
      lead={
        <p className="text-14 text-muted">
          {forecast.data === undefined ? (
            <FigurePlaceholder hasFailed={forecast.isError} className="h-4 w-64" />
          ) : (
            <>
              Promised profit of your running investments:{' '}
              <MoneyText minor={toMinor(forecast.data.profit)} className="font-semibold text-ink" />
              . Calculated from the terms. Profit is not guaranteed.
            </>
          )}
        </p>
      }
      query={forecast}
      failed="The forecast could not be loaded."
      empty="The chart appears when an investment is running."
      table={{
        header: ['Day', 'Profit', 'Principal'],
        rows: points.map((each) => ({
          key: each.day,
          cells: [
            <DateText key="day" at={each.day} format="day" />,
            <MoneyText key="profit" minor={toMinor(each.profit)} />,
            <MoneyText key="principal" minor={toMinor(each.principal)} />,
          ],
        })),
      }}
    >
      <ForecastChart line={line} today={today} />
    </ChartCard>
  )
}
