import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'

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
import type { Holding } from './series.ts'

const LINE = { type: 'stepAfter', strokeWidth: 2, isAnimationActive: false } as const

/**
 * Draws the net worth as an area and what was paid in and credited as a dashed line. Draws steps
 * instead of slopes, because a balance is constant between two entries.
 */
export function BalanceChart({ holdings }: { holdings: readonly Holding[] }) {
  const isHidden = useAmountsHidden()
  const points = holdings.map((holding) => ({
    ...holding,
    at: parseDay(holding.day),
    dollars: toChartPoint(holding.total),
    contributedDollars: toChartPoint(holding.contributed),
  }))
  return (
    <ChartFrame>
      <AreaChart data={points} margin={MARGIN} title="Balance over time">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...TIME_AXIS} />
        <YAxis
          {...AXIS}
          {...computeScale(
            computeTicks(points.flatMap((point) => [point.dollars, point.contributedDollars])),
          )}
          width={56}
          tickFormatter={createAxisMoneyFormat(isHidden)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={CROSSHAIR}
          content={({ active, payload }) => {
            // The cast is safe because Recharts passes the data point unchanged.
            const point = payload?.[0]?.payload as Holding | undefined
            if (!active || point === undefined) return null
            return (
              <ChartTip
                title={formatDay(point.day)}
                isHidden={isHidden}
                rows={[
                  { name: 'Net worth', minor: point.total },
                  { name: 'Paid in, less withdrawals', minor: point.paidIn },
                  { name: 'Credited by an administrator', minor: point.credited },
                  { name: 'Gain', minor: point.total - point.contributed },
                  { name: 'Available', minor: point.available },
                  { name: 'Held', minor: point.held },
                  { name: 'Invested', minor: point.invested },
                ]}
              />
            )
          }}
        />
        <Area
          {...LINE}
          dataKey="dollars"
          stroke="var(--accent)"
          fill="var(--accent-soft)"
          fillOpacity={1}
          dot={points.length === 1}
        />
        <Area
          {...LINE}
          dataKey="contributedDollars"
          stroke="var(--info)"
          strokeDasharray="5 4"
          fill="none"
          dot={points.length === 1}
        />
      </AreaChart>
    </ChartFrame>
  )
}
