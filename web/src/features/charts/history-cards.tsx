import { addDays } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { Range } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { ChartLegend } from '../../shared/ui/chart-legend.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useChartRange } from '../preferences/index.ts'
import {
  BAR_OF_RANGE,
  getFirstDayOfRange,
  groupFlows,
  PREFERENCE_OF_RANGE,
  RANGES,
  type RangeId,
  toCoverageDays,
} from './flow-series.ts'
import { statsQueries } from './stats-queries.ts'

const FlowChart = lazy(async () => ({ default: (await import('./flow-chart.tsx')).FlowChart }))
const CoverageChart = lazy(async () => ({
  default: (await import('./coverage-chart.tsx')).CoverageChart,
}))

function useRange() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const [kept, keep] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const asked = RANGES.find(([id]) => id === search.get('range'))?.[0]
  const range: RangeId = asked ?? findCoveringRange(kept)
  const query = useQuery({
    ...statsQueries.readHistory({ from: getFirstDayOfRange(range, today), timeZone }),
    enabled: asked !== undefined || kept !== null,
  })
  const picker = (
    <RangePicker
      label="Time range"
      ranges={RANGES}
      value={range}
      onChange={(id) => {
        url.set({ range: id }, { replace: true })
        keep(PREFERENCE_OF_RANGE[id])
      }}
    />
  )
  return { range, picker, query, today }
}

/**
 * Returns the shortest range that covers the preferred range. Without a preference, returns 90
 * days.
 */
function findCoveringRange(kept: Range | null): RangeId {
  if (kept === '1W' || kept === '1M') return '30'
  return kept === null || kept === '3M' ? '90' : '365'
}

export function NetFlowCard() {
  const { range, picker, query } = useRange()
  const flows = groupFlows(query.data?.flows ?? [], range)
  const net = flows.reduce((sum, flow) => sum + flow.deposits - flow.withdrawals, 0n)
  return (
    <ChartCard
      title="Net flow"
      note={query.data === undefined ? undefined : <MoneyText minor={net} signed />}
      action={picker}
      lead={
        <ChartLegend
          series={[
            ['solid', `Deposits per ${BAR_OF_RANGE[range]}`],
            ['hatched', `Withdrawals per ${BAR_OF_RANGE[range]}`],
          ]}
        />
      }
      query={query}
      failed="The cash flow could not be loaded."
      empty="No deposits or withdrawals in this period."
      table={{
        header: ['Time', 'Deposits', 'Withdrawals', 'Net'],
        rows: flows.toReversed().map(({ key, label, deposits, withdrawals }) => ({
          key,
          cells: [
            label,
            <MoneyText key="in" minor={deposits} />,
            <MoneyText key="out" minor={withdrawals} />,
            <MoneyText key="net" minor={deposits - withdrawals} signed />,
          ],
        })),
      }}
    >
      <FlowChart flows={flows} />
    </ChartCard>
  )
}

/** Shows the share of committed profit that the reserve covered. */
export function CoverageCard() {
  const { range, picker, query, today } = useRange()
  // The answer begins with the first whole bar of the net flow, this chart with the first day.
  const first = addDays(today, 1 - Number(range))
  const points = query.data?.coverage.filter(({ day }) => day >= first) ?? []
  const days = toCoverageDays(points, today)
  return (
    <ChartCard
      title="Reserve coverage"
      term="coverage"
      action={picker}
      lead={
        <ChartLegend
          series={[
            ['solid', 'Covered share of the promised profit'],
            ['dashedAmber', 'All promised profit'],
          ]}
        />
      }
      query={query}
      failed="The coverage could not be loaded."
      empty="No promised profit in this period."
      table={{
        header: ['Day', 'Covered', 'Promised', 'Free reserve'],
        rows: days.toReversed().map(({ day, percentage, committed, reserve }) => ({
          key: day,
          cells: [
            <DateText key="day" at={day} format="day" />,
            `${percentage}%`,
            <MoneyText key="committed" minor={committed} />,
            <MoneyText key="reserve" minor={reserve} />,
          ],
        })),
      }}
    >
      <CoverageChart days={days} />
    </ChartCard>
  )
}
