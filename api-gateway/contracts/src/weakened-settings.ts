import type { AdminSettings } from './admin-settings.ts'
import { findSetting, settings } from './setting-descriptors.ts'
import type { Weakening } from './setting-kinds.ts'

/** Returns the value of a setting by its path, such as `security.loginAttempts`. */
export function readSetting(from: AdminSettings, path: string): unknown {
  const [group = '', name = ''] = path.split('.')
  const values = Object.entries(from).find(([key]) => key === group)?.[1]
  return typeof values === 'object' ? Reflect.get(values, name) : undefined
}

/** Returns true if this change to a setting weakens a control. */
export function isWeakened(path: string, change: { before: unknown; after: unknown }): boolean {
  const weakenedBy = findSetting(path)?.weakenedBy
  if (weakenedBy === undefined) return false
  if (JSON.stringify(change.before) === JSON.stringify(change.after)) return false
  return isWeakening(weakenedBy, change)
}

function isWeakening(
  weakenedBy: Weakening,
  { before, after }: { before: unknown; after: unknown },
): boolean {
  switch (weakenedBy) {
    case 'switching on':
      return after === true
    case 'switching off':
      return after === false
    case 'raising':
      return toComparableLimit(after) > toComparableLimit(before)
    case 'lowering':
      return toComparableLimit(after) < toComparableLimit(before)
    case 'widening':
      return isWider(before, after)
    case 'choosing disclose':
      return after === 'disclose'
    case 'allowing more referrals':
      return isReferralExtended(before, after)
    case 'any change':
      return true
  }
}

/** Converts a limit to a number for comparisons. An empty limit means unlimited. */
function toComparableLimit(value: unknown): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY
}

/** Returns true if the change switches referrals on or unblocks a country. */
function isReferralExtended(before: unknown, after: unknown): boolean {
  const { answer } = settings.payment.referral
  const [old, fresh] = [answer.parse(before), answer.parse(after)]
  const isUnblocked = (country: string) => !fresh.blockedCountries.includes(country)
  return (fresh.enabled && !old.enabled) || old.blockedCountries.some(isUnblocked)
}

/**
 * Returns true if the new list allows something that the old list did not. An empty list allows
 * everything.
 */
function isWider(before: unknown, after: unknown): boolean {
  const [old, fresh] = [before, after].map((list) => (Array.isArray(list) ? list : []))
  if (old === undefined || fresh === undefined || old.length === 0) return false
  return fresh.length === 0 || fresh.some((entry) => !old.includes(entry))
}
