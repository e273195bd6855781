import { TREASURY } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findOptionDetails } from '../deposits/index.ts'

/** Names an account of the operator, such as `First Bank, 0000000000`. Null means the treasury. */
export async function describeCashAccount(
  { clock, db }: Pick<Dependencies, 'clock' | 'db'>,
  paymentOptionId: string | null,
): Promise<string> {
  // A decided transaction has the id of the treasury in place of null.
  if (paymentOptionId === null || paymentOptionId === TREASURY) return 'Treasury'
  const at = new Date(clock.now()).toISOString()
  const details = await findOptionDetails(db, { paymentOptionId, at })
  return details === null ? 'Unknown account' : `${details.bank}, ${details.accountNumber}`
}
