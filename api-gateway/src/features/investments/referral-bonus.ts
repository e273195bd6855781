import type { Dependencies } from '../../platform/dependencies.ts'
import type { Exchange } from '../../platform/http/registry.ts'
import { getUserRow } from '../users/index.ts'

/**
 * Pays the referral bonus of a new investment at once. The ledger refuses the payment during the
 * cooling-off period. If this call fails, the worker of the ledger pays within a minute, so the
 * failure is not reported to the investor.
 */
export async function payBonusIfDue(
  { db, ledger }: Pick<Dependencies, 'db' | 'ledger'>,
  { investmentId, investorId }: { investmentId: string; investorId: string },
  { requestId }: Pick<Exchange, 'requestId'>,
): Promise<void> {
  const { referrer_id } = await getUserRow(db, investorId)
  if (referrer_id === null) return
  try {
    await ledger.submit({
      type: 'PayReferralBonus',
      data: { investmentId },
      // The system is the actor, and not the buyer, because the referrer can read the actor in the
      // receipt of the event.
      actor: 'system:referrals',
      key: null,
      requestId,
      effectiveAt: null,
    })
  } catch {}
}
