import type { Database } from '../../platform/database/database.ts'
import { storePrivateText } from '../../platform/erasure/private-text.ts'

/**
 * Returns a reference in place of a reason about a person, so that the reason is erased with the
 * person. The reason of a change that concerns no person, such as a setting, is returned unchanged.
 */
export async function storePrivateReason(
  db: Database,
  about: { beneficiaries: readonly string[]; reason: string; nowMs: number },
): Promise<string> {
  const { beneficiaries, reason: text, nowMs } = about
  const [userId] = beneficiaries
  return userId === undefined ? text : await storePrivateText(db, { userId, text, nowMs })
}
