import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { getFirstDayOfRange, RANGES } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend } from '../../shared/ui/chart-legend.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { useChartRange } from '../preferences/index.ts'
import { NetWorthLead, type NetWorthProps } from './net-worth-lead.tsx'
import { chartQueries } from './queries.ts'
import { toHoldings, toProfitLine } from './series.ts'

const BalanceChart = lazy(async () => ({
  default: (await import('./balance-chart.tsx')).BalanceChart,
}))
const ForecastChart = lazy(async () => ({
  default: (await import('./forecast-chart.tsx')).ForecastChart,
}))
const OPTIONS = RANGES.map((range) => [range, range === 'MAX' ? 'Max' : range] as const)
const VIEWS = [
  ['history', 'History'],
  ['ahead', 'Profit ahead'],
] as const
const HISTORY_SERIES = [
  ['solid', 'Net worth'],
  ['dashedSlate', 'Paid in and credited, less withdrawals', 'paid in and credited'],
] as const
const FORECAST_SERIES = [
  ['solid', 'Credited profit'],
  ['dashed', 'Due under the terms'],
] as const
type View = (typeof VIEWS)[number][0]

/**
 * Shows the net worth of an investor in two views: its history, and the profit that the terms
 * promise. Both views have the same height.
 */
export function NetWorthCard({ total = null }: { total?: NetWorthProps | null }) {
  const [view, setView] = useState<View>('history')
  const picker = <RangePicker label="View" ranges={VIEWS} value={view} onChange={setView} />
  return view === 'history' ? (
    <HistoryView total={total} picker={picker} />
  ) : (
    <ForecastView total={total} picker={picker} />
  )
}

type ViewProps = { total: NetWorthProps | null; picker: ReactNode }

function HistoryView({ total, picker }: ViewProps) {
  const [range, setRange] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange(range ?? '3M', today)
  const asked = chartQueries.readBalanceHistory({ from, timeZone })
  const history = useQuery({ ...asked, enabled: range !== null })
  const holdings = toHoldings(history.data?.points ?? [], today)
  return (
    <ChartCard
      title="Net worth"
      size="tall"
      head={(tableButton) => (
        <NetWorthLead
          total={total}
          picker={picker}
          tableButton={tableButton}
          legend={<ChartLegend series={HISTORY_SERIES} />}
        >
          <RangePicker
            label="Time range"
            ranges={OPTIONS}
            value={range ?? '3M'}
            onChange={setRange}
          />
        </NetWorthLead>
      )}
      query={history}
      failed={null}
      empty="The chart starts when money first arrives in your wallet."
      table={{
        header: ['Day', 'Available', 'Held', 'Invested', 'Total', 'Paid in, net', 'Credited'],
        terms: { Held: 'held', Credited: 'paid in and credited' },
        rows: holdings.toReversed().map((each) => ({
          key: each.day,
          cells: [
            <DateText key="day" at={each.day} format="day" />,
            <MoneyText key="available" minor={each.available} />,
            <MoneyText key="held" minor={each.held} />,
            <MoneyText key="invested" minor={each.invested} />,
            <MoneyText key="total" minor={each.total} />,
            <MoneyText key="paidIn" minor={each.paidIn} />,
            <MoneyText key="credited" minor={each.credited} />,
          ],
        })),
      }}
    >
      <BalanceChart holdings={holdings} />
    </ChartCard>
  )
}

function ForecastView({ total, picker }: ViewProps) {
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange('3M', today)
  const history = useQuery(chartQueries.readBalanceHistory({ from, timeZone }))
  const forecast = useQuery(chartQueries.readForecast(timeZone))
  const points = forecast.data?.points ?? []
  const holdings = toHoldings(history.data?.points ?? [], today)
  const line = points.length === 0 ? [] : toProfitLine(holdings, points, today)
  return (
    <ChartCard
      title="Net worth"
      size="tall"
      head={(tableButton) => (
        <NetWorthLead
          total={total}
          picker={picker}
          tableButton={tableButton}
          note={<PromisedProfit forecast={forecast.data} hasFailed={forecast.isError} />}
          legend={<ChartLegend series={FORECAST_SERIES} />}
        />
      )}
      query={forecast}
      failed={null}
      empty="The chart appears when an investment is running."
      table={{
        header: ['Day', 'Credited profit', 'Due under the terms', 'Principal'],
        terms: { Principal: 'principal' },
        rows: line.map(({ day, past, ahead, principal }) => ({
          key: day,
          cells: [
            <DateText key="day" at={day} format="day" />,
            past !== null && <MoneyText key="past" minor={past} />,
            ahead !== null && <MoneyText key="ahead" minor={ahead} />,
            principal > 0n && <MoneyText key="principal" minor={principal} />,
          ],
        })),
      }}
    >
      <ForecastChart line={line} today={today} />
    </ChartCard>
  )
}

/** States the future profit that the terms promise. */
function PromisedProfit({
  forecast,
  hasFailed,
}: {
  forecast: { profit: number } | undefined
  hasFailed: boolean
}) {
  if (forecast === undefined)
    return <FigurePlaceholder hasFailed={hasFailed} className="h-5 w-72" />
  return (
    <>
      <MoneyText minor={toMinor(forecast.profit)} className="text-ink" /> due under the terms of
      your plans. Not guaranteed.
    </>
  )
}
