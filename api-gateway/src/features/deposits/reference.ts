import { issueDepositReference } from '@cairn/gateway-contracts'
import { createId, formatReference } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { createOptionNotFoundFailure, listOfferedOptionRows } from '../payment-options/index.ts'

export function createDepositReferenceRoutes(
  deps: Pick<Dependencies, 'db' | 'settings'>,
): readonly Route[] {
  return [
    declareRoute(
      issueDepositReference,
      { rate: 'write', owner: 'own', audit: null },
      async ({ body: { payment_option_id: paymentOptionId } }, exchange) => {
        const { userId } = getCaller(exchange)
        const offered = await listOfferedOptionRows(deps)
        if (!offered.some(({ id }) => id === paymentOptionId)) throw createOptionNotFoundFailure()
        const { nowMs } = exchange
        return { reference: await issueReference(deps.db, { userId, paymentOptionId, nowMs }) }
      },
    ),
  ]
}

/**
 * Returns the user's unused reference. If the user has no unused reference, creates a reference. An
 * unused reference is returned again because the user may already have put it into a payment.
 */
async function issueReference(
  db: Database,
  { userId, paymentOptionId, nowMs }: { userId: string; paymentOptionId: string; nowMs: number },
): Promise<string> {
  const transactionId = createId(nowMs)
  await db
    .insertInto('platform.deposit_reference')
    .values({
      transaction_id: transactionId,
      reference: formatReference(transactionId),
      user_id: userId,
      payment_option_id: paymentOptionId,
      issued_at: new Date(nowMs),
      used_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'payment_option_id']).where('used_at', 'is', null).doNothing(),
    )
    .execute()
  const { reference } = await db
    .selectFrom('platform.deposit_reference')
    .select('reference')
    .where('user_id', '=', userId)
    .where('payment_option_id', '=', paymentOptionId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return reference
}

interface IssuedReference {
  transactionId: string
  paymentOptionId: string
}

/** Returns the reference with its transaction id; null if it was not issued to this user. */
export async function findIssuedReference(
  db: Database,
  request: { reference: string; userId: string },
): Promise<IssuedReference | null> {
  const found = await db
    .selectFrom('platform.deposit_reference')
    .select(['transaction_id', 'payment_option_id'])
    .where('reference', '=', request.reference)
    .where('user_id', '=', request.userId)
    .executeTakeFirst()
  if (found === undefined) return null
  return { transactionId: found.transaction_id, paymentOptionId: found.payment_option_id }
}

/**
 * Throws 422 `REFERENCE_UNKNOWN` if the reference was not issued for this payment option. A request
 * without a payment option matches no reference, because a reference is issued for one.
 */
export function requireIssuedFor(
  issued: IssuedReference | null,
  paymentOptionId: string | null,
): void {
  if (issued !== null && issued.paymentOptionId === paymentOptionId) return
  const message =
    'This reference was not issued to you for this payment method. Load the page again.'
  throw new HttpFailure(422, 'REFERENCE_UNKNOWN', message)
}

/**
 * Marks a reference as used, so that the next call issues a new reference. A mark does not prove
 * that the deposit was recorded, because only the ledger knows which deposits were recorded.
 */
export async function markReferenceUsed(
  db: Database,
  { transactionId, nowMs }: { transactionId: string; nowMs: number },
): Promise<void> {
  await db
    .updateTable('platform.deposit_reference')
    .set({ used_at: new Date(nowMs) })
    .where('transaction_id', '=', transactionId)
    .where('used_at', 'is', null)
    .execute()
}
