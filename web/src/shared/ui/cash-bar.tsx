import { type Minor, toChartPoint } from '../money/money.ts'
import { joinClasses } from './join-classes.ts'

/** The colour and the pattern of each part of the cash, in the bar and in its legend. */
export const CASH_LOOKS = {
  owed: 'part-1',
  promised: 'part-2',
  own: 'border border-accent bg-accent-soft',
} as const

/** The look of costs that are not covered. They are in no part of the bar. */
export const COSTS_LOOK = 'hatched border border-line-strong'

type CashBarProps = Record<keyof typeof CASH_LOOKS, Minor> & { className?: string }

/**
 * Draws the parts to scale. Costs that are not covered, an `own` below zero, reduce the promised
 * profit. A part that is too small for the scale has a minimum width; a part of zero is not drawn.
 */
export function CashBar({ className = 'h-10', owed, promised, own }: CashBarProps) {
  const parts = [
    ['owed', owed],
    ['promised', own < 0n ? promised + own : promised],
    ['own', own],
  ] as const
  return (
    <div aria-hidden="true" className={joinClasses('flex gap-0.5 rounded-card bg-line', className)}>
      {parts.map(
        ([part, minor]) =>
          minor > 0n && (
            <span
              key={part}
              className={joinClasses(
                'h-full min-w-1.5 first:rounded-l-card last:rounded-r-card',
                CASH_LOOKS[part],
              )}
              style={{ flexGrow: toChartPoint(minor) }}
            />
          ),
      )}
    </div>
  )
}
