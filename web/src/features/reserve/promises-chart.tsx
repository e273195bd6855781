import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

import { toChartPoint } from '../../shared/money/money.ts'
import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import {
  AXIS,
  ChartTip,
  computeScale,
  computeTicks,
  createAxisMoneyFormat,
  formatAxisDay,
  formatDay,
  MARGIN,
  parseDay,
} from '../../shared/ui/chart-parts.tsx'
import type { DueDay } from './due-days.ts'

const BAR_WIDTH_MAX = 40

/**
 * Draws the profit per day, and with `withPrincipal` the principal below it. `days` has one entry for
 * each day of the axis; the axis labels the days that have a bar.
 */
export function PromisesChart({
  days,
  withPrincipal,
}: {
  days: readonly DueDay[]
  withPrincipal: boolean
}) {
  const isHidden = useAmountsHidden()
  const points = days.map((each) => ({
    ...each,
    due: toChartPoint(each.profit),
    back: withPrincipal ? toChartPoint(each.principal) : 0,
  }))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={points} margin={MARGIN} title="Promised profit by maturity">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...AXIS}
          dataKey="day"
          ticks={days.flatMap(({ day, count }) => (count > 0 ? [day] : []))}
          tickFormatter={(day: string) => formatAxisDay(parseDay(day))}
          interval="preserveStartEnd"
          minTickGap={8}
        />
        <YAxis
          {...AXIS}
          {...computeScale(computeTicks(points.map(({ due, back }) => due + back)))}
          tickFormatter={createAxisMoneyFormat(isHidden)}
          width={56}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--sunken)' }}
          content={({ active, label }) => {
            const due = points.find(({ day }) => day === label)
            if (active !== true || due === undefined || due.count === 0) return null
            return (
              <ChartTip
                title={formatDay(due.day)}
                isHidden={isHidden}
                rows={[
                  { name: 'Profit', minor: due.profit },
                  { name: 'Principal', minor: due.principal },
                ]}
              />
            )
          }}
        />
        <Bar
          dataKey="back"
          stackId="due"
          fill="var(--stone-3)"
          maxBarSize={BAR_WIDTH_MAX}
          isAnimationActive={false}
        />
        <Bar
          dataKey="due"
          stackId="due"
          fill="var(--stone-1)"
          maxBarSize={BAR_WIDTH_MAX}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  )
}
