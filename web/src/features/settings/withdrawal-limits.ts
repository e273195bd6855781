import { formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import type { PublicSettings } from './queries.ts'

/** `$500 a day and $3,000 a month`; null where nothing is limited. Both are counted in UTC. */
export function describeWithdrawalLimits(settings: PublicSettings): string | null {
  const { dailyWithdrawalLimit: day, monthlyWithdrawalLimit: month } = settings
  const limits = [
    ...(day === null ? [] : [`${formatMoneyBriefly(toMinor(day))} a day`]),
    ...(month === null ? [] : [`${formatMoneyBriefly(toMinor(month))} a month`]),
  ]
  return limits.length === 0 ? null : limits.join(' and ')
}
