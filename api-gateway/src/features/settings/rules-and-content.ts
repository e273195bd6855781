import type { AdminSettings, ParsedRequestOf, saveAdminSettings } from '@cairn/gateway-contracts'
import type { LedgerClient, MoneyRules } from '@cairn/ledger-contracts'
import { StoredSettings } from '../../platform/settings-store/site-settings.ts'
import { toAdminSettings } from './admin-view.ts'

export type Form = ParsedRequestOf<typeof saveAdminSettings>['body']

/**
 * All settings at one time: as the gateway and the ledger store them, and as the page shows them.
 */
export interface Snapshot {
  version: number
  stored: StoredSettings
  rules: MoneyRules
  shown: AdminSettings
}

export function toSnapshot(
  version: number,
  { stored, rules }: Pick<Snapshot, 'stored' | 'rules'>,
): Snapshot {
  return { version, stored, rules, shown: toAdminSettings(stored, rules, version) }
}

export async function readRules(ledger: LedgerClient): Promise<MoneyRules> {
  const { version: _version, ...rules } = (await ledger.ask('rules', {})).rules
  return rules
}

/**
 * Returns the settings with the values of the form. Fields that the form lacks keep their values.
 */
export function applyForm(form: Form, current: Snapshot): Snapshot {
  const stored = toStoredSettings(form, current.stored)
  return toSnapshot(current.version, { stored, rules: toMoneyRules(form, current.rules) })
}

function toStoredSettings(form: Form, current: StoredSettings): StoredSettings {
  const { general, security, notifications, payment } = form
  const blockedCountries = payment.referral?.blockedCountries ?? current.payment.blockedCountries
  // The schema removes the money rules, which only the ledger stores.
  return StoredSettings.parse({
    general: { ...current.general, ...omitUndefined(general) },
    security: { ...current.security, ...omitUndefined(security) },
    notifications: { ...current.notifications, ...omitUndefined(notifications) },
    payment: { ...current.payment, ...omitUndefined(payment), blockedCountries },
  })
}

type Defined<Group> = { [Key in keyof Group]: Exclude<Group[Key], undefined> }

function omitUndefined<Group extends object>(group: Group): Partial<Defined<Group>> {
  const entries = Object.entries(group).filter(([, value]) => value !== undefined)
  // The cast is safe because undefined values are removed.
  return Object.fromEntries(entries) as Partial<Defined<Group>>
}

function toMoneyRules({ payment, security }: Form, current: MoneyRules): MoneyRules {
  const { approvalThreshold } = security
  const { dailyWithdrawalLimit, monthlyWithdrawalLimit } = payment
  return {
    depositFeePpm: payment.depositFee,
    withdrawalFeePpm: payment.withdrawalFee,
    minimumDepositMinor: payment.minDeposit,
    minimumWithdrawalMinor: payment.minWithdrawal,
    coverageMode: payment.coverageMode ?? current.coverageMode,
    isReferralEnabled: payment.referral?.enabled ?? current.isReferralEnabled,
    approvalThresholdMinor:
      approvalThreshold === undefined ? current.approvalThresholdMinor : approvalThreshold,
    coolingOffHours: payment.coolingOffHours ?? current.coolingOffHours,
    dailyWithdrawalLimitMinor:
      dailyWithdrawalLimit === undefined ? current.dailyWithdrawalLimitMinor : dailyWithdrawalLimit,
    monthlyWithdrawalLimitMinor:
      monthlyWithdrawalLimit === undefined
        ? current.monthlyWithdrawalLimitMinor
        : monthlyWithdrawalLimit,
  }
}
