import { Area, AreaChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import {
  AXIS,
  ChartFrame,
  ChartTip,
  CROSSHAIR,
  formatDay,
  MARGIN,
  parseDay,
  TIME_AXIS,
} from '../../shared/ui/chart-parts.tsx'
import type { CoverageDay } from './flow-series.ts'

const COVERED = 'var(--stone-1)'
const FULL = 100
const HEADROOM = 120

/**
 * Draws the part of the promised profit that the reserve covers. Each value applies until the next
 * value in the list.
 */
export function CoverageChart({ days }: { days: readonly CoverageDay[] }) {
  const isHidden = useAmountsHidden()
  const points = days.map((each) => ({ ...each, at: parseDay(each.day) }))
  return (
    <ChartFrame>
      <AreaChart data={points} margin={MARGIN} title="Reserve coverage">
        <CartesianGrid vertical={false} syncWithTicks stroke="var(--line)" />
        <XAxis {...TIME_AXIS} />
        <YAxis
          {...AXIS}
          width={48}
          domain={[0, HEADROOM]}
          ticks={[0, 25, 50, 75, FULL]}
          tickFormatter={(percent: number) => `${percent}%`}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={CROSSHAIR}
          content={({ active, label }) => {
            const day = points.find(({ at }) => at === label)
            if (active !== true || day === undefined) return null
            return (
              <ChartTip
                title={formatDay(day.day)}
                isHidden={isHidden}
                rows={[
                  { name: 'Covered', text: `${day.percentage}%` },
                  { name: 'Promised', minor: day.committed },
                  { name: 'Free reserve', minor: day.reserve },
                ]}
              />
            )
          }}
        />
        <Area
          type="stepAfter"
          dataKey="percentage"
          name="Coverage"
          stroke={COVERED}
          strokeWidth={2}
          fill="var(--accent-soft)"
          isAnimationActive={false}
          dot={points.length === 1}
        />
        <ReferenceLine
          y={FULL}
          stroke="var(--pending)"
          strokeDasharray="4 4"
          label={{
            value: 'all promises',
            position: 'insideTopRight',
            fill: 'var(--muted)',
            fontSize: 12,
          }}
        />
      </AreaChart>
    </ChartFrame>
  )
}
