import { ALL_TRANSACTIONS, type LedgerClient } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'

const REQUESTS_PER_RUN = 100
/**
 * The page size. It is larger than the number of pending withdrawals that the ledger allows one
 * investor.
 */
const PENDING_MAX = 1_000
const REASON = 'The password, the email or a second factor was changed while it was pending'
/**
 * Refusals that mean that a withdrawal needs no hold: the withdrawal is decided, cancelled or
 * already held.
 */
const SETTLED = new Set(['ALREADY_ON_HOLD', 'TRANSACTION_DECIDED'])

interface HoldDependencies {
  db: Database
  ledger: LedgerClient
}

/**
 * Processes the open hold requests and returns their number. If one request fails, the remaining
 * requests are still processed.
 */
export async function processHoldRequests(deps: HoldDependencies, nowMs: number): Promise<number> {
  const open = await deps.db
    .selectFrom('identity.hold_request')
    .select('user_id')
    .where('done_at', 'is', null)
    .groupBy('user_id')
    // The requests that can be closed come first, so that requests that stay open cannot delay them.
    .orderBy((row) => row.fn.min('created_at'))
    .limit(REQUESTS_PER_RUN)
    .execute()
  const failures: unknown[] = []
  for (const { user_id: userId } of open) {
    await holdPendingWithdrawals(deps, { userId, nowMs }).catch((error: unknown) =>
      failures.push(error),
    )
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some withdrawals were not held')
  return open.length
}

/**
 * Puts on hold the user's withdrawals that were pending or in flight when a credential changed. An
 * approval must call this function first, so that no such withdrawal is approved. A repetition is
 * harmless: the request stays open until all these withdrawals are recorded and on hold.
 */
export async function holdPendingWithdrawals(
  deps: HoldDependencies,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const open = await deps.db
    .selectFrom('identity.hold_request')
    .select(['id', 'created_at'])
    .where('user_id', '=', userId)
    .where('done_at', 'is', null)
    .orderBy('created_at')
    .execute()
  for (const { id, created_at } of open) {
    const untilMs = created_at.getTime()
    await holdWithdrawalsRequestedBefore(deps, { requestId: id, userId, untilMs })
    // A withdrawal in flight can still be recorded until then.
    if (untilMs > nowMs) continue
    await deps.db
      .updateTable('identity.hold_request')
      .set({ done_at: new Date(nowMs) })
      .where('id', '=', id)
      .execute()
  }
}

/** True if a credential of this user has changed since this time. */
export async function hasChangedCredential(
  db: Database,
  { userId, sinceMs }: { userId: string; sinceMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('identity.hold_request')
    .select('id')
    .where('user_id', '=', userId)
    .where('created_at', '>=', new Date(sinceMs))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function holdWithdrawalsRequestedBefore(
  { ledger }: HoldDependencies,
  request: { requestId: string; userId: string; untilMs: number },
): Promise<void> {
  const { requestId, userId, untilMs } = request
  const { transactions } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [userId],
    limit: PENDING_MAX,
    type: 'withdrawal',
    status: 'pending',
  })
  for (const { transactionId, createdAt, holdReason } of transactions) {
    if (holdReason !== null || Date.parse(createdAt) > untilMs) continue
    const answer = await ledger.submit({
      type: 'HoldWithdrawal',
      data: { transactionId, reason: REASON },
      actor: 'system:credential-hold',
      key: `hold/${requestId}/${transactionId}`,
      requestId: null,
      effectiveAt: null,
    })
    if (answer.outcome === 'failed') throw toServerFailure(answer)
    if (answer.outcome === 'refused' && !SETTLED.has(answer.code)) throw toFailure(answer)
  }
}
