import { formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import type { PublicSettings } from './queries.ts'

/** Formats limits such as `$500 a day and $3,000 a month`. Returns null if there are no limits. */
export function describeWithdrawalLimits(settings: PublicSettings): string | null {
  const { dailyWithdrawalLimit: day, monthlyWithdrawalLimit: month } = settings
  const limits = [
    ...(day === null ? [] : [`${formatMoneyBriefly(toMinor(day))} a day`]),
    ...(month === null ? [] : [`${formatMoneyBriefly(toMinor(month))} a month`]),
  ]
  return limits.length === 0 ? null : limits.join(' and ')
}
