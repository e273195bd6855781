import { formatMoneyBriefly, type Minor, toMinor } from '../../shared/money/money.ts'
import type { WithdrawalLimit } from './queries.ts'

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * Formats a sentence such as `Today you can still withdraw $120 of $500, this month $2,000 of
 * $3,000.`
 */
export function describeLimits(limits: readonly WithdrawalLimit[]): string {
  const parts = limits.map(({ period, limit, left }) => {
    const amounts = `${formatMoneyBriefly(toMinor(left))} of ${formatMoneyBriefly(toMinor(limit))}`
    return { when: period === 'day' ? 'today' : 'this month', amounts }
  })
  const [first, second] = parts
  if (first === undefined) return ''
  const sentence = `${capitalize(first.when)} you can still withdraw ${first.amounts}`
  const rest = second === undefined ? '' : `, ${second.when} ${second.amounts}`
  return `${sentence}${rest}. Days and months are those of UTC.`
}

/** Returns the reason why the amount exceeds a limit. Returns null if it exceeds no limit. */
export function findLimitRefusal(
  amount: Minor | null,
  limits: readonly WithdrawalLimit[],
): string | null {
  if (amount === null) return null
  const passed = limits
    .filter(({ left }) => amount > toMinor(left))
    .reduce<WithdrawalLimit | null>(
      (tight, limit) => (tight === null || limit.left <= tight.left ? limit : tight),
      null,
    )
  if (passed === null) return null
  const when = passed.period === 'day' ? 'Today' : 'This month'
  const renews = DAY.format(new Date(passed.renewsAt))
  return `${when} you can still withdraw ${formatMoneyBriefly(toMinor(passed.left))}. The limit of ${formatMoneyBriefly(toMinor(passed.limit))} a ${passed.period} renews on ${renews}.`
}

/** Returns the largest amount that the wallet and the limits permit. */
export function findLargestAmount(available: Minor, limits: readonly WithdrawalLimit[]): Minor {
  const left = limits.map((limit) => toMinor(limit.left))
  return [available, ...left].reduce((least, each) => (each < least ? each : least))
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
