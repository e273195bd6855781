import { formatDate } from '../dates/format-date.ts'
import { formatMoney, type Minor } from '../money/money.ts'

/** Properties that all axes share. */
export const AXIS = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--muted)', fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const

/** Converts a day to its position on a time axis. */
export function parseDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function formatDay(day: string): string {
  return formatDate(day, 'day')
}

/** Formats `Nov 21`. */
export function formatAxisDay(ms: number): string {
  return formatDate(new Date(ms).toISOString().slice(0, 10), 'dayOfYear')
}

/** Formats `$1.2k`. The tooltip and the table show exact amounts. */
export function createAxisMoneyFormat(isHidden: boolean): (dollars: number) => string {
  return (dollars) => (isHidden ? '$•••' : formatShortMoney(dollars))
}

const UNITS = [
  [1e12, 'tn'],
  [1e9, 'bn'],
  [1e6, 'm'],
  [1e3, 'k'],
] as const

function formatShortMoney(dollars: number): string {
  const size = Math.abs(dollars)
  const sign = dollars < 0 ? '\u2212' : ''
  const [unit, suffix] = UNITS.find(([least]) => size >= least) ?? [1, '']
  return `${sign}$${formatOneDecimal(size / unit)}${suffix}`
}

function formatOneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

type TipRow = { name: string; minor: Minor } | { name: string; text: string }

export function ChartTip({
  title,
  rows,
  isHidden,
}: {
  title: string
  rows: readonly TipRow[]
  isHidden: boolean
}) {
  return (
    <div className="rounded-card border border-line bg-surface px-3 py-2 text-12 shadow-raised">
      <p className="mb-1 font-medium">{title}</p>
      {rows.map((row) => (
        <p key={row.name} className="tabular flex justify-between gap-4">
          <span className="text-muted">{row.name}</span>
          {'text' in row ? row.text : isHidden ? '$••••' : formatMoney(row.minor)}
        </p>
      ))}
    </div>
  )
}
