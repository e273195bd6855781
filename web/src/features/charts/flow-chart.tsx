import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'

import { toChartPoint } from '../../shared/money/money.ts'
import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import {
  AXIS,
  ChartFrame,
  ChartTip,
  computeScale,
  computeTicks,
  createAxisMoneyFormat,
  formatAxisDay,
  HATCHED,
  HatchedFill,
  MARGIN,
  parseDay,
} from '../../shared/ui/chart-parts.tsx'
import { type Flow, formatMonth } from './flow-series.ts'

const IN = 'var(--stone-1)'
const MONTH_LENGTH = '2026-11'.length
/** The label of the last bars is wider than its bars and must not be cut off or moved. */
const LABEL_SPACE = { left: 0, right: 16 } as const

/** Draws incoming and outgoing money side by side. */
export function FlowChart({ flows }: { flows: readonly Flow[] }) {
  const isHidden = useAmountsHidden()
  const points = flows.map((flow) => ({
    ...flow,
    in: toChartPoint(flow.deposits),
    out: toChartPoint(flow.withdrawals),
  }))
  return (
    <ChartFrame>
      <BarChart data={points} margin={MARGIN} barGap={2} title="Net flow">
        <HatchedFill />
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...AXIS}
          dataKey="key"
          tickFormatter={formatAxisKey}
          minTickGap={24}
          interval="equidistantPreserveEnd"
          padding={LABEL_SPACE}
        />
        <YAxis
          {...AXIS}
          {...computeScale(computeTicks(points.flatMap((point) => [point.in, point.out])))}
          tickFormatter={createAxisMoneyFormat(isHidden)}
          width={56}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--sunken)' }}
          content={({ active, label }) => {
            const flow = points.find(({ key }) => key === label)
            if (active !== true || flow === undefined) return null
            return (
              <ChartTip
                title={flow.label}
                isHidden={isHidden}
                rows={[
                  { name: 'Deposits', minor: flow.deposits },
                  { name: 'Withdrawals', minor: flow.withdrawals },
                  { name: 'Net', minor: flow.deposits - flow.withdrawals },
                ]}
              />
            )
          }}
        />
        <Bar dataKey="in" name="Deposits" fill={IN} radius={2} isAnimationActive={false} />
        <Bar dataKey="out" name="Withdrawals" fill={HATCHED} radius={2} isAnimationActive={false} />
      </BarChart>
    </ChartFrame>
  )
}

/** Formats a day of the form `2026-11-21` as `Nov 21`, and a month of the form `2026-11` as `Nov 2026`. */
function formatAxisKey(key: string): string {
  return key.length > MONTH_LENGTH ? formatAxisDay(parseDay(key)) : formatMonth(key)
}
