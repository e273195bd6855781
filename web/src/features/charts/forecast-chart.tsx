import { CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import { toChartPoint } from '../../shared/money/money.ts'
import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import {
  AXIS,
  ChartFrame,
  ChartTip,
  CROSSHAIR,
  computeScale,
  computeTicks,
  createAxisMoneyFormat,
  formatDay,
  MARGIN,
  parseDay,
  TIME_AXIS,
} from '../../shared/ui/chart-parts.tsx'
import type { ProfitPoint } from './series.ts'

const LINE = {
  type: 'stepAfter',
  stroke: 'var(--accent)',
  strokeWidth: 2,
  isAnimationActive: false,
} as const

/**
 * Draws the credited profit as a solid line. After today, draws the profit that the terms promise
 * as a dashed line.
 */
export function ForecastChart({ line, today }: { line: readonly ProfitPoint[]; today: string }) {
  const isHidden = useAmountsHidden()
  const points = line.map((point) => ({
    ...point,
    at: parseDay(point.day),
    pastDollars: point.past === null ? null : toChartPoint(point.past),
    aheadDollars: point.ahead === null ? null : toChartPoint(point.ahead),
  }))
  return (
    <ChartFrame>
      <LineChart data={points} margin={MARGIN} title="Profit credited and promised">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...TIME_AXIS} />
        <YAxis
          {...AXIS}
          {...computeScale(
            computeTicks(points.map((point) => point.aheadDollars ?? point.pastDollars ?? 0)),
          )}
          width={56}
          tickFormatter={createAxisMoneyFormat(isHidden)}
        />
        <ReferenceLine
          x={parseDay(today)}
          stroke="var(--line-strong)"
          label={{ value: 'Today', position: 'insideTopLeft', fill: 'var(--muted)', fontSize: 12 }}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={CROSSHAIR}
          content={({ active, payload }) => {
            // The cast is safe because Recharts passes the data point unchanged.
            const point = payload?.[0]?.payload as ProfitPoint | undefined
            if (!active || point === undefined) return null
            const { past, ahead } = point
            const rows = past === null ? [] : [{ name: 'Credited profit', minor: past }]
            if (ahead !== null && ahead !== past)
              rows.push({ name: 'Due under the terms', minor: ahead })
            if (point.principal > 0n) rows.push({ name: 'Principal', minor: point.principal })
            return <ChartTip title={formatDay(point.day)} isHidden={isHidden} rows={rows} />
          }}
        />
        <Line {...LINE} dataKey="pastDollars" dot={points.length === 1} />
        <Line {...LINE} dataKey="aheadDollars" strokeDasharray="5 4" dot={false} />
      </LineChart>
    </ChartFrame>
  )
}
