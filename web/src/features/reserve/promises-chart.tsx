import {
  Bar,
  BarChart,
  CartesianGrid,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  XAxis,
  YAxis,
} from 'recharts'

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
import { chooseDayLabels } from './day-labels.ts'
import type { DueDay } from './due-days.ts'

const BAR_WIDTH_MAX = 40
/** The distance of the labels from the bars. */
const LABEL_GAP = 8
/** At the right edge is room for half of the name of a month. */
const LABELLED_MARGIN = { ...MARGIN, right: 14 } as const

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
      <BarChart data={points} margin={LABELLED_MARGIN} title={title}>
        <DottedFill />
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...AXIS} dataKey="day" tick={false} height={40} />
        <DayLabels days={dueDays} />
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

/**
 * Labels the bars with their days of the month, which are narrow enough for bars of near days. The
 * month is below its first label. The axis cannot draw these labels, because it does not tell a label
 * which other labels have room.
 */
function DayLabels({ days }: { days: readonly string[] }) {
  const scale = useXAxisScale()
  const plot = usePlotArea()
  if (scale === undefined || plot === undefined) return null
  const places = days.flatMap((day) => {
    const x = scale(day, { position: 'middle' })
    return x === undefined ? [] : [{ day, x }]
  })
  return chooseDayLabels(places).map(({ day, x, isFirstOfMonth }) => (
    <text
      key={day}
      x={x}
      y={plot.y + plot.height + LABEL_GAP}
      textAnchor="middle"
      fill={AXIS.tick.fill}
      fontSize={AXIS.tick.fontSize}
    >
      <tspan x={x} dy="0.71em">
        {Number(day.slice(8))}
      </tspan>
      {isFirstOfMonth && (
        <tspan x={x} dy="1.3em">
          {formatDate(day, 'month')}
        </tspan>
      )}
    </text>
  ))
}
