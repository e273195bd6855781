import type { UserStats } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { getFirstDayOfRange, RANGES } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend } from '../../shared/ui/chart-parts.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { useChartRange } from '../preferences/index.ts'
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
  ['ahead', 'Profit forecast'],
] as const
const SERIES = [
  ['solid', 'Credited profit'],
  ['dashed', 'Due under the terms'],
] as const
type View = (typeof VIEWS)[number][0]

type NetWorthProps = { stats: UserStats | undefined; hasFailed: boolean }

/**
 * Shows the total of an investor, its history and the profit that is due by the terms. Both views
 * have the same height.
 */
export function NetWorthCard(props: NetWorthProps) {
  const [view, setView] = useState<View>('history')
  const picker = <RangePicker label="View" ranges={VIEWS} value={view} onChange={setView} />
  return view === 'history' ? (
    <HistoryView {...props} picker={picker} />
  ) : (
    <ForecastView {...props} picker={picker} />
  )
}

type ViewProps = NetWorthProps & { picker: ReactNode }

function HistoryView({ stats, hasFailed, picker }: ViewProps) {
  const [range, setRange] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange(range ?? '3M', today)
  const asked = chartQueries.readBalanceHistory({ from, timeZone })
  const history = useQuery({ ...asked, enabled: range !== null })
  const holdings = toHoldings(history.data?.points ?? [], today)
  return (
    <ChartCard
      title="Net worth"
      isTall
      action={picker}
      lead={
        <Lead stats={stats} hasFailed={hasFailed}>
          <RangePicker
            label="Time range"
            ranges={OPTIONS}
            value={range ?? '3M'}
            onChange={setRange}
          />
        </Lead>
      }
      query={history}
      failed="Your history could not be loaded."
      empty="The chart starts when money first arrives in your wallet."
      table={{
        header: ['Day', 'Available', 'Held', 'Invested', 'Total'],
        terms: { Held: 'held' },
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

function ForecastView({ stats, hasFailed, picker }: ViewProps) {
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange('3M', today)
  const history = useQuery(chartQueries.readBalanceHistory({ from, timeZone }))
  const forecast = useQuery(chartQueries.readForecast(timeZone))
  const points = forecast.data?.points ?? []
  const line = toProfitLine(toHoldings(history.data?.points ?? [], today), points, today)
  return (
    <ChartCard
      title="Net worth"
      isTall
      action={picker}
      lead={
        <Lead stats={stats} hasFailed={hasFailed}>
          <div className="grid gap-1 sm:max-w-80">
            <ChartLegend series={SERIES} />
            <p className="text-12 text-muted">
              {forecast.data === undefined ? (
                <FigurePlaceholder hasFailed={forecast.isError} className="h-8 w-64" />
              ) : (
                <>
                  <MoneyText minor={toMinor(forecast.data.profit)} className="text-ink" /> promised
                  by the terms of your running investments. Profit is not guaranteed.
                </>
              )}
            </p>
          </div>
        </Lead>
      }
      query={forecast}
      failed="The forecast could not be loaded."
      empty="The chart appears when an investment is running."
      table={{
        header: ['Day', 'Profit', 'Principal'],
        terms: { Principal: 'principal' },
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

type LeadProps = NetWorthProps & { children: ReactNode }

/** Shows the total of the investor, split by where the money is. */
function Lead({ stats, hasFailed, children }: LeadProps) {
  const parts = stats === undefined ? null : toParts(stats)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid gap-1">
        <p className="h-10 font-semibold text-20 leading-none tracking-tight min-[360px]:text-28 sm:text-40">
          {parts === null ? (
            <FigurePlaceholder hasFailed={hasFailed} className="h-8 w-56" />
          ) : (
            <MoneyText minor={parts.total} large />
          )}
        </p>
        <dl className="flex min-h-10 flex-wrap gap-x-5 text-14 sm:min-h-5">
          {parts === null ? (
            <FigurePlaceholder hasFailed={hasFailed} className="h-5 w-72" />
          ) : (
            parts.rows.map(({ name, minor }) => (
              <div key={name} className="sm:flex sm:gap-2">
                <dt className="text-muted">
                  {name}
                  {name === 'Held' && <TermInfo term="held" />}
                </dt>
                <dd>
                  <MoneyText minor={minor} />
                </dd>
              </div>
            ))
          )}
        </dl>
      </div>
      <div className="flex min-h-8 items-end">{children}</div>
    </div>
  )
}

function toParts(stats: UserStats): { total: Minor; rows: { name: string; minor: Minor }[] } {
  const sum = (amounts: UserStats['wallet']): Minor =>
    toMinor(amounts.balance) + toMinor(amounts.profit) + toMinor(amounts.referralBalance)
  const invested = toMinor(stats.invested)
  const available = sum(stats.wallet)
  const held = sum(stats.held)
  const rows = [
    { name: 'Invested', minor: invested },
    { name: 'Available', minor: available },
    { name: 'Held', minor: held },
  ]
  return { total: invested + available + held, rows }
}
