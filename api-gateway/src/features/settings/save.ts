import type { AdminSettings, ParsedRequestOf, saveAdminSettings } from '@cairn/gateway-contracts'
import type { MoneyRules } from '@cairn/ledger-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createAllowList } from '../../platform/http/allow-list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { StoredSettings, withDefaults } from '../../platform/settings-store/site-settings.ts'
import { isSecondAdminBinding } from '../users/index.ts'
import { type Change, compareSettings, toAdminSettings } from './admin-view.ts'

type Form = ParsedRequestOf<typeof saveAdminSettings>['body']

export interface SaveContext {
  admin: Caller
  ip: string
  requestId: string
  nowMs: number
}

/** Saves to the ledger first, so that a refused fee is not shown as saved. Returns the changes. */
export async function saveSettings(
  deps: Dependencies,
  form: Form,
  context: SaveContext,
): Promise<Readonly<Record<string, Change>>> {
  return await deps.db.transaction().execute(async (trx) => {
    const current = await lockSettings(trx, deps, context.nowMs)
    const { rules } = await deps.ledger.ask('rules', {})
    const wantedRules = toRules(form, rules)
    const content = toStored(form, current.stored)
    const before = toAdminSettings(current.stored, rules, current.version)
    const after = toAdminSettings(content, wantedRules, current.version)
    const changes = compareSettings(before, after)
    // Saving unchanged settings is not a conflict: a repeated request gets the same answer.
    if (Object.keys(changes).length === 0) return changes
    if (form.version !== undefined && form.version !== current.version) {
      throw versionConflict(current.version, changes)
    }
    await requireSafe(deps, { form, context, before, after })
    await requireThresholdKept(deps, { before: rules, after: wantedRules })
    await setRules(deps, { rules, wantedRules, context })
    await trx
      .updateTable('platform.setting')
      .set({
        version: current.version + 1,
        content: JSON.stringify(content),
        updated_at: new Date(context.nowMs),
        updated_by: context.admin.userId,
      })
      .where('id', '=', 'site')
      .execute()
    return changes
  })
}

async function lockSettings(
  trx: DatabaseTransaction,
  deps: Dependencies,
  nowMs: number,
): Promise<{ stored: StoredSettings; version: number }> {
  const row = await lockSettingsRow(trx, nowMs)
  return { stored: withDefaults(row.content, deps), version: row.version }
}

/** Serialises changes, so that ledger and row contain the same one. */
export async function lockSettingsRow(
  trx: DatabaseTransaction,
  nowMs: number,
): Promise<{ version: number; content: unknown }> {
  await trx
    .insertInto('platform.setting')
    .values({
      id: 'site',
      version: 0,
      content: '{}',
      updated_at: new Date(nowMs),
      updated_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await trx
    .selectFrom('platform.setting')
    .select(['version', 'content'])
    .where('id', '=', 'site')
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Missing fields keep their values. */
function toStored(form: Form, current: StoredSettings): StoredSettings {
  const { general, security, notifications, payment } = form
  const blockedCountries = payment.referral?.blockedCountries ?? current.payment.blockedCountries
  // The schema drops the money rules, which the ledger stores.
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
  // The same keys without undefined values.
  return Object.fromEntries(entries) as Partial<Defined<Group>>
}

function toRules({ payment, security }: Form, current: MoneyRules): MoneyRules {
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

async function setRules(
  deps: Pick<Dependencies, 'ledger'>,
  change: { rules: MoneyRules; wantedRules: MoneyRules; context: SaveContext },
): Promise<void> {
  const { rules, wantedRules, context } = change
  const names = Object.keys(wantedRules) as (keyof MoneyRules)[]
  if (names.every((name) => rules[name] === wantedRules[name])) return
  await submit(deps.ledger, {
    type: 'SetMoneyRules',
    data: { rules: wantedRules },
    actor: `admin:${context.admin.userId}`,
    key: null,
    requestId: context.requestId,
    effectiveAt: null,
  })
}

/**
 * Requires `confirm` for a change that locks the caller out; refuses changes that would falsify the
 * ledger.
 */
async function requireSafe(
  deps: Pick<Dependencies, 'ledger'>,
  change: { form: Form; context: SaveContext; before: AdminSettings; after: AdminSettings },
): Promise<void> {
  const { form, context, before, after } = change
  const isCurrencyChanged = before.general.defaultCurrency !== after.general.defaultCurrency
  if (isCurrencyChanged && (await hasEntries(deps))) {
    const message = 'The currency cannot be changed after money has moved'
    throw new HttpFailure(409, 'CURRENCY_IN_USE', message)
  }
  const isPasskeyRequired = after.security.adminPasskey && !before.security.adminPasskey
  // It proves that passkeys work at this address, so that the setting locks out no administrator.
  if (isPasskeyRequired && context.admin.passkeyProvedAtMs === null) {
    const message = 'Log in with your own passkey before you require one of administrators'
    throw new HttpFailure(409, 'PASSKEY_NOT_USED', message)
  }
  if (form.confirm === true) return
  if (!createAllowList(after.security.ipWhitelist).allows(context.ip)) {
    const message = `Your own address ${context.ip} is not in the list: you would lock yourself out. Add it, or confirm.`
    throw new HttpFailure(409, 'LOCKOUT_RISK', message, { details: { address: context.ip } })
  }
  const isNewlyRequired = after.security.twoFactorAuth && !before.security.twoFactorAuth
  if (isNewlyRequired && !context.admin.isMfaEnabled) {
    const message =
      'Set up two-factor authentication for yourself first, or confirm: you will then set it up before your next step.'
    throw new HttpFailure(409, 'MFA_NOT_ENROLLED', message)
  }
}

/**
 * One administrator must not switch off the rule that requires two. Setting or lowering the
 * threshold is stricter and allowed. With fewer than two active administrators the threshold has no
 * effect.
 */
async function requireThresholdKept(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  rules: { before: MoneyRules; after: MoneyRules },
): Promise<void> {
  const [before, after] = [rules.before, rules.after].map((one) => one.approvalThresholdMinor)
  const isKept = before == null || (after != null && after <= before)
  if (isKept || !(await isSecondAdminBinding(deps))) return
  const message =
    'Only the server command can raise or remove the approval threshold: npm run admin -- approval-threshold'
  throw new HttpFailure(409, 'THRESHOLD_LOCKED', message)
}

async function hasEntries(deps: Pick<Dependencies, 'ledger'>): Promise<boolean> {
  const { totals } = await deps.ledger.ask('totals', {})
  return totals.transactions.length > 0 || totals.investments.length > 0
}

function versionConflict(version: number, changes: Readonly<Record<string, Change>>): HttpFailure {
  const fields = Object.entries(changes).map(([name, { before, after }]) => {
    return { name, saved: before, yours: after }
  })
  const message =
    'Another administrator has changed the settings. Load them again and repeat your change.'
  return new HttpFailure(409, 'VERSION_CONFLICT', message, { details: { version, fields } })
}
