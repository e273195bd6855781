import type { getTransactionDetail, ResponseOf } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

type PaidTo = ResponseOf<typeof getTransactionDetail>['paidTo']

/**
 * Returns the payment details that the investor saw at the time of the request. The payment option
 * may have changed since then.
 */
export async function findPaymentDestination(
  db: Database,
  { type, paymentOptionId, createdAt }: LedgerTransaction,
): Promise<PaidTo> {
  if (type !== 'deposit' || paymentOptionId === null) return null
  return await findOptionDetails(db, { paymentOptionId, at: createdAt })
}

/**
 * Returns the payment details of a payment option at a time; null if the payment option is unknown.
 */
export async function findOptionDetails(
  db: Database,
  { paymentOptionId, at }: { paymentOptionId: string; at: string },
): Promise<PaidTo> {
  const version = await db
    .selectFrom('platform.payment_option_version')
    .select(['bank', 'account_number', 'extra'])
    .where('payment_option_id', '=', paymentOptionId)
    // Selects the newest version from before the time. An old deposit of the demo may have no such
    // version; then selects the first version.
    .orderBy(sql`valid_from <= ${new Date(at)}`, 'desc')
    .orderBy(sql`abs(extract(epoch from valid_from - ${new Date(at)}))`)
    .limit(1)
    .executeTakeFirst()
  if (version === undefined) return null
  const { bank, account_number: accountNumber, extra } = version
  return { bank, accountNumber, extra }
}
