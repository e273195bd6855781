import { refuse } from '../../log/model.ts'
import { createStateTable } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { getFollowingMonth, getMonthEndMs } from './month.ts'

/** The last month that was closed. */
export const monthCloseTable = createStateTable('month_close', '', {
  month: 'text',
  lastSeq: 'int8',
})

/** Returns null if no month was closed. All rows of the table are in memory. */
export function findLastClosedMonth(view: View): string | null {
  return view.peek(monthCloseTable, '')?.month ?? null
}

/**
 * Closes months in order and each month once, after its end. The decider does not know the sums and
 * roots, so it cannot check them. The verification compares them with the log.
 */
export const closeMonth: Decider<'CloseMonth'> = {
  needs: () => [],
  decide: ({ month, size, root, totals, state }, view, context) => {
    if (getMonthEndMs(month) > context.recordedAtMs) return refuse('monthNotEnded', { month })
    const last = findLastClosedMonth(view)
    const next = last === null ? month : getFollowingMonth(last)
    if (month !== next) return refuse('monthNotNext', { month: next })
    if (state.size < size) return refuse('monthStateTooEarly')
    const { version: _, lastSeq: __, ...rules } = findRulesInForce(view)
    return record(
      { type: 'MonthClosed', data: { month, size, root, totals, liabilities: null, state, rules } },
      context,
    )
  },
}

export const applyMonthClosed: Evolve<'MonthClosed'> = ({ month }, view, { seq }) => {
  view.put(monthCloseTable, { month, lastSeq: seq })
}
