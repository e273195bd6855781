import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { StoredSettings } from '../../src/platform/settings-store/site-settings.ts'
import type { TestGateway } from '../test-gateway.ts'

/** All controls that protect money and people, read at one time. */
export interface Controls {
  settings: StoredSettings
  rules: MoneyRules
  plans: ReadonlyMap<string, PlanTerms>
  /** A map from the id of each payment option to its state. `row` is the stored row as JSON. */
  options: ReadonlyMap<string, { row: string; isShown: boolean }>
  mailTexts: string
  administrators: string
  approvers: string
}

export async function readControls({ db, ledger, deps }: TestGateway): Promise<Controls> {
  deps.settings.forget()
  const {
    version: _version,
    updatedAt: _updatedAt,
    allowList: _allowList,
    ...settings
  } = await deps.settings.read()
  const now = new Date(deps.clock.now()).toISOString()
  const [{ rules }, { plans }, { mode, approvers }] = await Promise.all([
    ledger.ask('rules', {}),
    ledger.ask('plans', { includeArchived: true }),
    ledger.ask('controls', { now }),
  ])
  const rows = await sql<{ id: string; row: string; isShown: boolean }>`
    select id, is_visible as "isShown", (to_jsonb(option) - 'is_visible')::text as row
    from platform.payment_option as option`.execute(db)
  const mails = await sql<{ text: string | null }>`
    select string_agg(to_jsonb(mail)::text, ' ' order by kind) as text
    from platform.mail_template as mail`.execute(db)
  const admins = await sql<{ text: string | null }>`
    select string_agg(concat_ws(' ', person.id, email, status, password_hash, mfa_enabled_at,
        is_reset_required, deleted_at, (select string_agg(role, ',' order by role)
          from identity.admin_role where user_id = person.id)), ' ' order by person.id) as text
    from identity.user as person where person.role = 'admin'`.execute(db)
  const active = approvers.filter(({ isActive }) => isActive).map(({ approverId }) => approverId)
  return {
    settings,
    rules,
    plans: new Map(plans.map((plan) => [plan.planId, plan])),
    options: new Map(rows.rows.map(({ id, row, isShown }) => [id, { row, isShown }])),
    mailTexts: mails.rows[0]?.text ?? '',
    administrators: admins.rows[0]?.text ?? '',
    approvers: `${mode} ${active.toSorted().join(' ')}`,
  }
}

/**
 * Describes the first control that is weaker in `after` than in `before`, or the first payment
 * option whose destination differs. Returns null if there is none.
 */
export function findWeakenedControl(before: Controls, after: Controls): string | null {
  if (before.mailTexts !== after.mailTexts) return 'a mail text changed alone'
  if (before.administrators !== after.administrators) return 'an administrator changed alone'
  if (before.approvers !== after.approvers) return 'the approvers changed alone'
  return (
    findWeakerRules(before.rules, after.rules) ??
    findWeakerSettings(before.settings, after.settings) ??
    findWeakerPlans(before.plans, after.plans) ??
    findOtherOption(before.options, after.options)
  )
}

export function findWeakerRules(before: MoneyRules, after: MoneyRules): string | null {
  const isHigher = (name: LimitName) =>
    before[name] !== null && (after[name] === null || after[name] > before[name])
  const higher = LIMITS.find(isHigher)
  if (higher !== undefined) return `${higher} raised alone`
  if (after.coolingOffHours < before.coolingOffHours)
    return 'the cooling-off period shortened alone'
  if (after.isReferralEnabled && !before.isReferralEnabled) return 'referrals switched on alone'
  const isDisclosed = before.coverageMode === 'strict' && after.coverageMode !== 'strict'
  return isDisclosed ? 'the coverage mode weakened alone' : null
}

const LIMITS = [
  'approvalThresholdMinor',
  'dailyWithdrawalLimitMinor',
  'monthlyWithdrawalLimitMinor',
] as const
type LimitName = (typeof LIMITS)[number]

/** The settings that switch mails to administrators on. */
const ADMIN_MAILS = [
  'emailNotifications',
  'newUserNotification',
  'depositNotification',
  'withdrawalNotification',
] as const

function findWeakerSettings(before: StoredSettings, after: StoredSettings): string | null {
  const [old, fresh] = [before.security, after.security]
  const isNotListed = (address: string) => !old.ipWhitelist.includes(address)
  const isOpened = fresh.ipWhitelist.length === 0 || fresh.ipWhitelist.some(isNotListed)
  const weaker: Readonly<Record<string, boolean>> = {
    'the step-up interval': fresh.stepUpMinutes > old.stepUpMinutes,
    'the number of login attempts': fresh.loginAttempts > old.loginAttempts,
    'the expiry of passwords': fresh.passwordExpiry > old.passwordExpiry,
    'the allow list': old.ipWhitelist.length > 0 && isOpened,
    'the second factor': old.twoFactorAuth && !fresh.twoFactorAuth,
    'the passkey of administrators': old.adminPasskey && !fresh.adminPasskey,
    'the approval of users': !old.autoApproveUsers && fresh.autoApproveUsers,
    'the cooling of bank accounts': fresh.bankCoolingHours < old.bankCoolingHours,
    'the pause after a credential change': fresh.credentialHoldHours < old.credentialHoldHours,
    'the rate that is warned about':
      after.payment.annualRateWarning > before.payment.annualRateWarning,
    'the site address': after.general.siteUrl !== before.general.siteUrl,
    'the mails to administrators': ADMIN_MAILS.some(
      (name) => before.notifications[name] && !after.notifications[name],
    ),
    'the address of mails to administrators':
      after.notifications.adminEmail !== before.notifications.adminEmail,
    'the countries without referrals': before.payment.blockedCountries.some(
      (country) => !after.payment.blockedCountries.includes(country),
    ),
  }
  const found = Object.entries(weaker).find(([, isWeaker]) => isWeaker)
  return found === undefined ? null : `${found[0]} weakened alone`
}

/**
 * Describes the first plan in `after` that `before` lacks or that promises more than in `before`.
 */
function findWeakerPlans(before: Controls['plans'], after: Controls['plans']): string | null {
  for (const [id, plan] of after) {
    const known = before.get(id)
    if (known === undefined) return 'a plan added alone'
    const isMore =
      plan.profitPpm > known.profitPpm ||
      plan.referralBonusPpm > known.referralBonusPpm ||
      plan.duration !== known.duration ||
      plan.unit !== known.unit ||
      (plan.returnPrincipal && !known.returnPrincipal) ||
      (known.isArchived && !plan.isArchived)
    if (isMore) return 'a plan that owes more, alone'
  }
  return null
}

/**
 * Describes the first payment option whose destination has changed. Hiding an option is not a
 * change of its destination.
 */
function findOtherOption(before: Controls['options'], after: Controls['options']): string | null {
  for (const [id, { row, isShown }] of after) {
    const known = before.get(id)
    if (known?.row !== row) return 'a payment option changed alone'
    if (isShown && !known.isShown) return 'a payment option shown alone'
  }
  return after.size < before.size ? 'a payment option removed alone' : null
}
