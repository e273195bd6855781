import { type Minor, toChartPoint } from '../money/money.ts'
import { joinClasses } from './join-classes.ts'

/** The look of each part of the cash, in the bar and in its legend. */
export const CASH_LOOKS = {
  owed: 'bg-[var(--stone-1)]',
  promised: 'bg-[var(--stone-2)]',
  free: 'border border-accent bg-accent-soft',
  costs: 'hatched border border-line-strong',
} as const

// The cast is safe because the keys of the object are the parts.
const PARTS = Object.keys(CASH_LOOKS) as ReadonlyArray<keyof typeof CASH_LOOKS>

type CashBarProps = Record<keyof typeof CASH_LOOKS, Minor> & { className?: string }

/** Draws the parts to scale. The costs are hatched, because they are money that was spent. */
export function CashBar({ className = 'h-10', ...amounts }: CashBarProps) {
  const widths = PARTS.map((part) => ({ part, width: Math.max(0, toChartPoint(amounts[part])) }))
  const total = widths.reduce((sum, { width }) => sum + width, 0)
  return (
    <div
      aria-hidden="true"
      className={joinClasses('flex gap-0.5 overflow-hidden rounded-card bg-line', className)}
    >
      {widths.map(({ part, width }) => (
        <span
          key={part}
          className={joinClasses('h-full', CASH_LOOKS[part])}
          style={{ width: `${total === 0 ? 0 : (width / total) * 100}%` }}
        />
      ))}
    </div>
  )
}
