import { type AdminSettings, toAmount, toPercent } from '@cairn/gateway-contracts'
import type { MoneyRules } from '@cairn/ledger-contracts'
import type { StoredSettings } from '../../platform/settings-store/site-settings.ts'

/**
 * Combines the stored settings and the money rules of the ledger into the object of the settings
 * page.
 */
export function toAdminSettings(
  stored: StoredSettings,
  rules: MoneyRules,
  version: number,
): AdminSettings {
  const { approvalThresholdMinor } = rules
  const { blockedCountries, ...payment } = stored.payment
  return {
    general: stored.general,
    security: {
      ...stored.security,
      approvalThreshold: approvalThresholdMinor === null ? null : toAmount(approvalThresholdMinor),
    },
    notifications: stored.notifications,
    payment: {
      ...payment,
      depositFee: toPercent(rules.depositFeePpm),
      withdrawalFee: toPercent(rules.withdrawalFeePpm),
      minDeposit: toAmount(rules.minimumDepositMinor),
      minWithdrawal: toAmount(rules.minimumWithdrawalMinor),
      coverageMode: rules.coverageMode,
      coolingOffHours: rules.coolingOffHours,
      ...toLimits(rules),
      referral: { enabled: rules.isReferralEnabled, blockedCountries },
    },
    version,
  }
}

/** Returns the withdrawal limits in major units; null for no limit. */
export function toLimits({
  dailyWithdrawalLimitMinor: daily,
  monthlyWithdrawalLimitMinor: monthly,
}: MoneyRules): Pick<AdminSettings['payment'], 'dailyWithdrawalLimit' | 'monthlyWithdrawalLimit'> {
  return {
    dailyWithdrawalLimit: daily === null ? null : toAmount(daily),
    monthlyWithdrawalLimit: monthly === null ? null : toAmount(monthly),
  }
}

export interface Change {
  before: unknown
  after: unknown
}

/** Returns the changed fields by path, for example `security.loginAttempts`. */
export function compareSettings(
  before: AdminSettings,
  after: AdminSettings,
): Readonly<Record<string, Change>> {
  const [old, fresh] = [flattenFields(before), flattenFields(after)]
  const changes: Record<string, Change> = {}
  for (const [path, value] of fresh) {
    const known = old.get(path)
    if (JSON.stringify(known) !== JSON.stringify(value)) {
      changes[path] = { before: known, after: value }
    }
  }
  return changes
}

function flattenFields({
  version: _version,
  ...groups
}: AdminSettings): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [group, values] of Object.entries(groups)) {
    for (const [name, value] of Object.entries(values)) fields.set(`${group}.${name}`, value)
  }
  return fields
}
