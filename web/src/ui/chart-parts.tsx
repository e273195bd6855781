import { formatMoney, type Minor } from '../money/money.ts'
import { useAmountsHidden } from '../preferences/hidden-amounts.ts'

/** Of recharts only what every chart shares; itself it draws nothing and weighs nothing. */
export const AXIS = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--muted)', fontSize: 12 },
  tickLine: false,
} as const
export const CHART_MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const

/** `$1.2k`: an axis is read at a glance; the tooltip and the table have the exact amounts. */
export function axisMoney(dollars: number): string {
  const size = Math.abs(dollars)
  const sign = dollars < 0 ? '\u2212' : ''
  if (size >= 1_000_000) return `${sign}$${trim(size / 1_000_000)}m`
  if (size >= 1_000) return `${sign}$${trim(size / 1_000)}k`
  return `${sign}$${trim(size)}`
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

export function useAxisMoney(): (dollars: number) => string {
  const isHidden = useAmountsHidden()
  return isHidden ? () => '$•••' : axisMoney
}

export type TooltipLine = { label: string; value: Minor | string; colour: string }

export function ChartTooltip({ title, lines }: { title: string; lines: readonly TooltipLine[] }) {
  const isHidden = useAmountsHidden()
  return (
    <div className="rounded-card border border-line bg-surface px-3 py-2 text-12 shadow-raised">
      <p className="font-medium">{title}</p>
      {lines.map(({ label, value, colour }) => (
        <p key={label} className="tabular flex items-center gap-2">
          <span
            aria-hidden="true"
            className="size-2 rounded-full"
            style={{ backgroundColor: colour }}
          />
          {label}
          <span className="ml-auto pl-3">
            {typeof value === 'string' ? value : isHidden ? '$••••' : formatMoney(value)}
          </span>
        </p>
      ))}
    </div>
  )
}
