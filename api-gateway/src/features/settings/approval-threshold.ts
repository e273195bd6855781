import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { ATTEMPTED, recordAudit } from '../../platform/http/audit.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { lockSettingsRow } from './store.ts'

const ENTRY = {
  actorId: null,
  action: 'cli.approval-threshold',
  subject: 'settings',
  ip: 'server',
  requestId: 'cli',
} as const

/**
 * Sets the approval threshold and returns the previous threshold; null removes the threshold. Only
 * the server command uses this function, because the settings page must not raise or remove the
 * threshold.
 */
export async function setApprovalThreshold(
  { db, ledger }: { db: Database; ledger: LedgerClient },
  { amountMinor, nowMs }: { amountMinor: bigint | null; nowMs: number },
): Promise<bigint | null> {
  return await db.transaction().execute(async (trx) => {
    const { version } = await lockSettingsRow(trx, nowMs)
    const { version: _rulesVersion, ...rules } = (await ledger.ask('rules', {})).rules
    const before = rules.approvalThresholdMinor
    if (before === amountMinor) return before
    const details = { before, after: amountMinor }
    // The attempt is recorded outside the transaction, so that the audit log also contains
    // interrupted attempts.
    const attemptId = await recordAudit(db, { ...ENTRY, details, result: ATTEMPTED }, nowMs)
    await submit(ledger, {
      type: 'SetMoneyRules',
      data: { rules: { ...rules, approvalThresholdMinor: amountMinor } },
      actor: 'system:server',
      key: null,
      requestId: 'cli',
      effectiveAt: null,
    })
    // With a new version, a settings page that is already open cannot save the old threshold again.
    await trx
      .updateTable('platform.setting')
      .set({ version: version + 1, updated_at: new Date(nowMs) })
      .where('id', '=', 'site')
      .execute()
    await recordAudit(trx, { ...ENTRY, details, attemptId }, nowMs)
    return before
  })
}
