import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'

export const ACTIVATIONS_PER_RUN = 100

/**
 * Activates an approved investor in the ledger, then in the gateway's database. A repetition is
 * harmless: the ledger records one event, and a failed attempt can be repeated. The row stays
 * locked, so that an administrator who denies the investor does so before or after. Throws if the
 * account no longer waits for its activation.
 */
export async function activateInvestor(
  deps: { db: Database; ledger: LedgerClient },
  user: { userId: string; referrerId: string | null; nowMs: number },
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('identity.user')
      .select(['status', 'activation_wanted_at'])
      .where('id', '=', user.userId)
      .forUpdate()
      .executeTakeFirst()
    if (row?.status === 'active') return
    if (row?.status !== 'pending' || row.activation_wanted_at === null) {
      throw new Error(`the account ${user.userId} does not wait for its activation`)
    }
    await activateLockedInvestor(trx, deps.ledger, user)
  })
}

async function activateLockedInvestor(
  trx: DatabaseTransaction,
  ledger: LedgerClient,
  { userId, referrerId, nowMs }: { userId: string; referrerId: string | null; nowMs: number },
): Promise<void> {
  const answer = await ledger.submit({
    type: 'ActivateInvestor',
    data: { investorId: userId, referrerId },
    actor: 'system:activation',
    key: `activate/${userId}`,
    requestId: null,
    effectiveAt: null,
  })
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  const isActive =
    answer.outcome === 'recorded' ||
    (answer.code === 'STANDING_CONFLICT' && answer.details.standing === 'active')
  if (!isActive) throw toFailure(answer)
  await trx
    .updateTable('identity.user')
    .set({ status: 'active', activation_wanted_at: null, updated_at: new Date(nowMs) })
    .where('id', '=', userId)
    .execute()
}

/** Repeats interrupted activations and returns their number. Throws if an activation fails. */
export async function activateWaitingInvestors(
  deps: { db: Database; ledger: LedgerClient },
  nowMs: number,
): Promise<number> {
  const waiting = await deps.db
    .selectFrom('identity.user')
    .select(['id', 'referrer_id'])
    .where('activation_wanted_at', 'is not', null)
    .where('status', '=', 'pending')
    .orderBy('activation_wanted_at')
    .limit(ACTIVATIONS_PER_RUN)
    .execute()
  const failures: unknown[] = []
  for (const { id, referrer_id } of waiting) {
    try {
      await activateInvestor(deps, { userId: id, referrerId: referrer_id, nowMs })
    } catch (error) {
      // If one activation fails, the job must continue with the next activation.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some activations failed')
  return waiting.length
}
