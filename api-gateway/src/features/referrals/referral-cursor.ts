import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import type { KeyRing } from '../../platform/keys/key-ring.ts'
import { createSeal } from '../../platform/keys/seal.ts'

/** Seals the id of a referred user, because a referrer must not see the ids of other users. */
export interface ReferralCursor {
  seal(userId: string): string
  /** Throws a 400 failure if the text is not a sealed id. */
  open(cursor: string): string
}

export function createReferralCursor(keys: KeyRing): ReferralCursor {
  const seal = createSeal(keys, 'cairn referral cursor')
  return {
    seal: (userId) => seal.seal({ userId }).toString('base64url'),
    open: (cursor) => {
      const userId = openSealed(() => seal.open(Buffer.from(cursor, 'base64url')))
      if (userId === undefined)
        throw createInvalidFieldFailure('before', 'before must be the value of meta.next')
      return userId
    },
  }
}

/** Returns undefined if the bytes were changed or are sealed with an unknown key. */
function openSealed(open: () => Record<string, string>): string | undefined {
  try {
    return open().userId
  } catch {
    return undefined
  }
}
