import type { Notification } from '@cairn/gateway-contracts'
import { parseFact, type RecordedEvent } from '@cairn/ledger-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Effects } from '../../platform/event-effects.ts'
import { findEffects } from '../../platform/find-effects.ts'
import { getReviewPath } from './notification-text.ts'

const REVIEW: Notification['kind'] = 'review'

/**
 * Marks the notifications about requests that the events decide as read, for all administrators.
 * Without this, the bell asks for decisions that another administrator has already made. Returns
 * the ids of the administrators whose notifications changed.
 */
export async function markDecidedRequestsAsRead(
  trx: DatabaseTransaction,
  events: readonly RecordedEvent[],
  nowMs: number,
): Promise<readonly string[]> {
  const links = events.flatMap(listDecidedTransactionIds).map(getReviewPath)
  if (links.length === 0) return []
  const changed = await trx
    .updateTable('platform.notification')
    .set({ read_at: new Date(nowMs) })
    .where('kind', '=', REVIEW)
    .where('link', 'in', links)
    .where('read_at', 'is', null)
    .returning('user_id')
    .execute()
  return changed.map(({ user_id }) => user_id)
}

/** The steps of a transaction after which it is no longer pending. */
const DECISIONS: ReadonlySet<Effects['step'] | undefined> = new Set([
  'approved',
  'declined',
  'cancelled',
])

function listDecidedTransactionIds({ type, data }: RecordedEvent): readonly string[] {
  const isDecision = DECISIONS.has(findEffects(type)?.step)
  // The end of an investment declines the withdrawals that contain its referral bonus.
  const isEarlyEnd = type === 'InvestmentDenied' || type === 'InvestmentCancelled'
  if (!isDecision && !isEarlyEnd) return []
  const fact = parseFact(type, data)
  if ('declinedWithdrawals' in fact.data) {
    return fact.data.declinedWithdrawals.map(({ transactionId }) => transactionId)
  }
  return 'transactionId' in fact.data ? [fact.data.transactionId] : []
}
