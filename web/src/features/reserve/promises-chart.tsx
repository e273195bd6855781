import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'

import { formatDate } from '../../shared/dates/format-date.ts'
import { toChartPoint } from '../../shared/money/money.ts'
import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import {
  AXIS,
  ChartFrame,
  ChartTip,
  computeScale,
  computeTicks,
  createAxisMoneyFormat,
  DOTTED,
  DottedFill,
  formatDay,
  MARGIN,
} from '../../shared/ui/chart-parts.tsx'
import type { DueDay } from './due-days.ts'

const BAR_WIDTH_MAX = 40

/**
 * Draws the profit per day, and with `withPrincipal` the principal below it. `days` has one entry for
 * each day of the axis; the axis labels the days that have a bar.
 */
export function PromisesChart({
  title,
  days,
  withPrincipal,
}: {
  title: string
  days: readonly DueDay[]
  withPrincipal: boolean
}) {
  const isHidden = useAmountsHidden()
  const dueDays = days.flatMap(({ day, count }) => (count > 0 ? [day] : []))
  const points = days.map((each) => ({
    ...each,
    due: toChartPoint(each.profit),
    back: withPrincipal ? toChartPoint(each.principal) : 0,
  }))
  return (
    <ChartFrame>
      <BarChart data={points} margin={MARGIN} title={title}>
        <DottedFill />
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...AXIS}
          dataKey="day"
          ticks={dueDays}
          tick={<DayTick days={dueDays} />}
          tickFormatter={getDayOfMonth}
          height={40}
          interval="preserveStartEnd"
          minTickGap={2}
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
            if (active !== true || due === undefined) return null
            return (
              <ChartTip title={formatDay(due.day)} isHidden={isHidden} rows={listTipRows(due)} />
            )
          }}
        />
        <Bar
          dataKey="back"
          stackId="due"
          fill="var(--stone-1)"
          maxBarSize={BAR_WIDTH_MAX}
          isAnimationActive={false}
        />
        <Bar
          dataKey="due"
          stackId="due"
          fill={withPrincipal ? DOTTED : 'var(--stone-1)'}
          maxBarSize={BAR_WIDTH_MAX}
          isAnimationActive={false}
        />
      </BarChart>
    </ChartFrame>
  )
}

function listTipRows({ count, profit, principal }: DueDay) {
  if (count === 0) return [{ name: 'Investments that end', text: 'None' }]
  return [
    { name: 'Investments that end', text: String(count) },
    { name: 'Profit until then', minor: profit },
    { name: 'Principal', minor: principal },
  ]
}

function getDayOfMonth(day: string): string {
  return String(Number(day.slice(8)))
}

type DayTickProps = {
  /** The labelled days, in order. */
  days: readonly string[]
  /** The position and the day of the tick. The axis sets them. */
  x?: number
  y?: number
  payload?: { value: string }
}

/**
 * Labels a bar with its day of the month, which is narrow enough for bars of consecutive days. The
 * month stands below its first label.
 */
function DayTick({ days, x = 0, y = 0, payload = { value: '' } }: DayTickProps) {
  const day = payload.value
  const before = days[days.indexOf(day) - 1]
  const beginsMonth = before?.slice(0, 7) !== day.slice(0, 7)
  return (
    <text x={x} y={y} textAnchor="middle" fill={AXIS.tick.fill} fontSize={AXIS.tick.fontSize}>
      <tspan x={x} dy="0.71em">
        {getDayOfMonth(day)}
      </tspan>
      {beginsMonth && (
        <tspan x={x} dy="1.3em">
          {formatDate(day, 'month')}
        </tspan>
      )}
    </text>
  )
}
