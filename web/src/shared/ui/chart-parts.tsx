import { createContext, type ReactElement, use, useState } from 'react'
import { createPortal } from 'react-dom'
import { ResponsiveContainer } from 'recharts'
import { formatDate } from '../dates/format-date.ts'
import { getHiddenMoney, getMoneyPrefix } from '../money/currency.ts'
import { formatMoney, type Minor } from '../money/money.ts'
import { joinClasses } from './join-classes.ts'

// The parts that drawn charts share. Pages load this module with their charts, so that it does not
// delay the first rendering.

/** The element whose text a screen reader reads when it changes. */
const ReaderText = createContext<HTMLElement | null>(null)

/** A chart is not drawn again for the paper, so it is scaled from its width in the window. */
const SCALED_ON_PAPER = [
  'print:[&_.recharts-responsive-container>div]:w-full!',
  'print:[&_.recharts-responsive-container>div]:h-auto!',
  'print:[&_.recharts-wrapper]:w-full!',
  'print:[&_.recharts-wrapper]:h-auto!',
  'print:[&_.recharts-surface]:h-auto!',
].join(' ')

/**
 * Gives a chart the size of its card. With the keyboard, the arrow keys move the crosshair, a screen
 * reader reads the values at the crosshair, and Escape removes it.
 */
export function ChartFrame({ children }: { children: ReactElement }) {
  const [reader, setReader] = useState<HTMLElement | null>(null)
  return (
    <ReaderText value={reader}>
      <div
        ref={listenForEscape}
        className={joinClasses('relative h-full print:h-auto', SCALED_ON_PAPER)}
      >
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
        <p ref={setReader} role="status" className="sr-only" />
      </div>
    </ReaderText>
  )
}

function listenForEscape(frame: HTMLElement | null): () => void {
  frame?.addEventListener('keydown', removeCrosshair)
  return () => frame?.removeEventListener('keydown', removeCrosshair)
}

/**
 * Recharts removes the crosshair if the chart loses the focus, and shows it at the next arrow key.
 * The focus returns at once, so that the Tab key continues from the chart.
 */
function removeCrosshair({ key, target }: KeyboardEvent): void {
  if (key !== 'Escape' || !(target instanceof SVGElement)) return
  target.blur()
  target.focus({ preventScroll: true })
}

/** Properties that all axes share. */
export const AXIS = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--muted)', fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const

/** The line at the chosen point of a time axis. */
export const CROSSHAIR = { stroke: 'var(--line-strong)' } as const

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

/** The fill of a series with the swatch `hatched`. */
export const HATCHED = 'url(#chart-hatched)'
/** The fill of a series with the swatch `dotted`. */
export const DOTTED = 'url(#chart-dotted)'

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

/** Defines the fill `DOTTED`. The element must be a child of the chart that uses the fill. */
export function DottedFill() {
  return (
    <defs>
      <pattern id="chart-dotted" width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" fill="var(--stone-3)" />
        <circle cx="2.5" cy="2.5" r="1.25" fill="var(--stone-1)" />
      </pattern>
    </defs>
  )
}

type TipRow = { name: string; minor: Minor } | { name: string; text: string }

/**
 * Shows the values at the crosshair. The frame of the chart reads the same values to a screen
 * reader.
 */
export function ChartTip({
  title,
  rows,
  isHidden,
}: {
  title: string
  rows: readonly TipRow[]
  isHidden: boolean
}) {
  const reader = use(ReaderText)
  const lines = rows.map((row) => ({
    name: row.name,
    text: 'text' in row ? row.text : isHidden ? getHiddenMoney() : formatMoney(row.minor),
  }))
  return (
    <div className="rounded-card border border-line bg-surface px-3 py-2 text-12 shadow-raised">
      <p className="mb-1 font-medium">{title}</p>
      {lines.map(({ name, text }) => (
        <p key={name} className="tabular flex justify-between gap-4">
          <span className="text-muted">{name}</span>
          {text}
        </p>
      ))}
      {reader !== null &&
        createPortal(
          `${title}: ${lines.map(({ name, text }) => `${name} ${text}`).join(', ')}`,
          reader,
        )}
    </div>
  )
}
