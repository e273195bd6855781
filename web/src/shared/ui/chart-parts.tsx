import { formatDate } from '../dates/format-date.ts'
import { getHiddenMoney, getMoneyPrefix } from '../money/currency.ts'
import { formatMoney, type Minor } from '../money/money.ts'
import { joinClasses } from './join-classes.ts'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

/** Properties that all axes share. */
export const AXIS = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--muted)', fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const

/** The margin of every chart. */
export const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 } as const

/** Properties of the time axis. The points have their position in the field `at`. */
export const TIME_AXIS = {
  ...AXIS,
  dataKey: 'at',
  type: 'number',
  scale: 'time',
  domain: ['dataMin', 'dataMax'],
  tickFormatter: formatAxisDay,
  minTickGap: 48,
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
  return (dollars) => (isHidden ? `${getMoneyPrefix()}•••` : formatShortMoney(dollars))
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
  return `${sign}${getMoneyPrefix()}${formatOneDecimal(size / unit)}${suffix}`
}

function formatOneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

const INTERVALS_MAX = 5

/**
 * Returns the ticks of an axis. The axis begins at zero; if the smallest value is negative, it
 * begins below this value. It ends above the largest value. The interval is 1, 2 or 5 times a power
 * of ten.
 */
export function computeTicks(values: readonly number[]): readonly number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const step = roundUpInterval((high - low) / INTERVALS_MAX)
  const first = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step) - first)
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step)
}

function roundUpInterval(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

/** The properties of a vertical axis with the given ticks. */
export function computeScale(ticks: readonly number[]) {
  return { ticks: [...ticks], domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1] }
}

export type Swatch = 'solid' | 'light' | 'hatched' | 'dashed' | 'dashedSlate'

const SWATCHES: Record<Swatch, string> = {
  solid: 'bg-[var(--stone-1)]',
  light: 'bg-[var(--stone-3)]',
  hatched:
    'bg-[repeating-linear-gradient(45deg,var(--declined)_0_2px,var(--declined-soft)_2px_4px)]',
  dashed:
    'h-0.5! w-5! rounded-none! bg-[repeating-linear-gradient(90deg,var(--accent)_0_5px,transparent_5px_8px)]',
  dashedSlate:
    'h-0.5! w-5! rounded-none! bg-[repeating-linear-gradient(90deg,var(--info)_0_5px,transparent_5px_8px)]',
}

/** The pattern and the name of a series. A button beside the name explains the term. */
type Series = readonly [swatch: Swatch, name: string, term?: TermName]

/**
 * Shows the names of the series of a chart. Each series has its own pattern, so the reader does not
 * need the colours.
 */
export function ChartLegend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-muted">
      {series.map(([swatch, name, term]) => (
        <li key={name} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className={joinClasses('h-3 w-4 rounded-sm', SWATCHES[swatch])}
          />
          <span className="flex items-center gap-0.5">
            {name}
            {term !== undefined && <TermInfo term={term} />}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const HATCHED = 'url(#chart-hatched)'

/** Defines the fill `HATCHED`. The element must be a child of the chart that uses the fill. */
export function HatchedFill() {
  return (
    <defs>
      <pattern
        id="chart-hatched"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="4" height="4" fill="var(--declined-soft)" />
        <rect width="2" height="4" fill="var(--declined)" />
      </pattern>
    </defs>
  )
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
          {'text' in row ? row.text : isHidden ? getHiddenMoney() : formatMoney(row.minor)}
        </p>
      ))}
    </div>
  )
}
