import { type AdminSettings, isWeakened } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createAllowList } from '../../platform/http/allow-list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Change, compareSettings } from './admin-view.ts'
import { createCurrencyConflict } from './choose-currency.ts'
import { applyForm, type Form } from './rules-and-content.ts'
import { lockSettings, writeSettings } from './store.ts'

export interface SaveContext {
  admin: Caller
  ip: string
  requestId: string
  nowMs: number
  /** True if two people must approve a change that weakens a control. */
  isDualControl: boolean
}

export type Changes = Readonly<Record<string, Change>>

/**
 * The result of a save. If `weakened` has paths, the changes of these settings need a second
 * administrator, and nothing was saved.
 */
export interface SaveResult {
  changes: Changes
  weakened: readonly string[]
}

/** Saves the settings, unless a change needs a second administrator. */
export async function saveSettings(
  deps: Dependencies,
  form: Form,
  context: SaveContext,
): Promise<SaveResult> {
  const { admin, requestId, nowMs } = context
  return await deps.db.transaction().execute(async (trx): Promise<SaveResult> => {
    const before = await lockSettings(trx, deps, nowMs)
    const after = applyForm(form, before)
    const changes = compareSettings(before.shown, after.shown)
    // A form without changes is never a conflict, so a repeated request gets the answer of the
    // first request.
    if (Object.keys(changes).length === 0) return { changes, weakened: [] }
    if (form.version !== undefined && form.version !== before.version) {
      throw createVersionConflictFailure(before.version, changes)
    }
    await requireSafeSettings(deps, { form, context, before: before.shown, after: after.shown })
    const weakened = Object.entries(changes).flatMap(([path, change]) =>
      isWeakened(path, change) ? [path] : [],
    )
    if (context.isDualControl && weakened.length > 0) return { changes, weakened }
    const { userId } = admin
    const author = { actor: `admin:${userId}`, key: null, requestId, userId, nowMs }
    await writeSettings(trx, deps, { before, after, author })
    return { changes, weakened: [] }
  })
}

/**
 * Throws if a change would lock the caller out and the form has no `confirm`. Throws even with
 * `confirm` if the change would replace the currency of existing amounts.
 */
async function requireSafeSettings(
  deps: Pick<Dependencies, 'ledger'>,
  change: { form: Form; context: SaveContext; before: AdminSettings; after: AdminSettings },
): Promise<void> {
  const { form, context, before, after } = change
  const isCurrencyChanged = before.general.defaultCurrency !== after.general.defaultCurrency
  if (isCurrencyChanged && (await isLedgerInUse(deps))) {
    throw createCurrencyConflict()
  }
  const isPasskeyRequired = after.security.adminPasskey && !before.security.adminPasskey
  // The caller's login with a passkey proves that administrators can use passkeys at this address.
  if (isPasskeyRequired && context.admin.passkeyProvedAtMs === null) {
    const message = 'Log in with your own passkey before you require passkeys for administrators'
    throw new HttpFailure(409, 'PASSKEY_NOT_USED', message)
  }
  if (form.confirm === true) return
  if (!createAllowList(after.security.ipWhitelist).isAllowed(context.ip)) {
    const message = `Your own address ${context.ip} is not in the list: you would lock yourself out. Add it, or confirm.`
    throw new HttpFailure(409, 'LOCKOUT_RISK', message, { details: { address: context.ip } })
  }
  const isNewlyRequired = after.security.twoFactorAuth && !before.security.twoFactorAuth
  if (isNewlyRequired && !context.admin.isMfaEnabled) {
    const message =
      'Set up two-factor authentication for yourself first. If you save anyway, you must set it up before you can continue.'
    throw new HttpFailure(409, 'MFA_NOT_ENROLLED', message)
  }
}

async function isLedgerInUse(deps: Pick<Dependencies, 'ledger'>): Promise<boolean> {
  const { totals } = await deps.ledger.ask('totals', {})
  return totals.transactions.length > 0 || totals.investments.length > 0
}

function createVersionConflictFailure(version: number, changes: Changes): HttpFailure {
  const fields = Object.entries(changes).map(([name, { before, after }]) => {
    return { name, saved: before, yours: after }
  })
  const message =
    'Another administrator has changed the settings. Load them again and repeat your change.'
  return new HttpFailure(409, 'VERSION_CONFLICT', message, { details: { version, fields } })
}
