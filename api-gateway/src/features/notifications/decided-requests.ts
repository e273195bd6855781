import type { Notification } from '@cairn/gateway-contracts'
import { type EventType, parseFact, type RecordedEvent } from '@cairn/ledger-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
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

/** The types of event after which one or more requests are no longer pending. */
const DECISIONS: ReadonlySet<string> = new Set<EventType>([
  'DepositApproved',
  'DepositDeclined',
  'DepositCancelled',
  'WithdrawalApproved',
  'WithdrawalDeclined',
  'WithdrawalCancelled',
  'InvestmentDenied',
  'InvestmentCancelled',
])

function listDecidedTransactionIds({ type, data }: RecordedEvent): readonly string[] {
  if (!DECISIONS.has(type)) return []
  const fact = parseFact(type, data)
  // The end of an investment declines the withdrawals that contain its referral bonus.
  if (fact.type === 'InvestmentDenied' || fact.type === 'InvestmentCancelled') {
    return fact.data.declinedWithdrawals.map(({ transactionId }) => transactionId)
  }
  return 'transactionId' in fact.data ? [fact.data.transactionId] : []
}
