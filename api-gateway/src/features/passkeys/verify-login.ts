import type { Assertion } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createLoginRequest, createPasskeyRefusedFailure, verifyAssertion } from './ceremonies.ts'
import { type Purpose, redeemChallenge, storeChallenge } from './challenges.ts'
import { findByCredential, type PasskeyRow, recordPasskeyUse } from './passkey.ts'
import { getRelyingParty } from './relying-party.ts'

type PasskeyDependencies = Pick<Dependencies, 'db' | 'publicUrl'>

/**
 * Stores a new challenge and returns the options for the browser. If `known` is empty, any passkey
 * of this site can answer.
 */
export async function beginLoginRequest(
  deps: PasskeyDependencies,
  request: {
    browserHash: Buffer
    purpose: Purpose
    known: readonly PasskeyRow[]
    nowMs: number
  },
) {
  const { browserHash, purpose, known, nowMs } = request
  const options = await createLoginRequest(getRelyingParty(deps.publicUrl), known)
  const { challenge } = options
  await storeChallenge(deps.db, { browserHash, purpose, challenge, nowMs })
  return options
}

/**
 * Verifies the answer to a challenge and returns the passkey and its owner. The challenge is
 * deleted, so that it can be answered only once.
 */
export async function verifyPasskey(
  deps: PasskeyDependencies,
  answer: {
    browserHash: Buffer | null
    purpose: Purpose
    credential: Assertion
    /** The expected owner; null accepts a passkey of any user. */
    userId: string | null
    nowMs: number
  },
): Promise<{ userId: string; passkeyId: string }> {
  const { credential, userId, nowMs } = answer
  const challenge = await redeemChallenge(deps.db, answer)
  const row = await findByCredential(deps.db, credential.id)
  if (row === null || (userId !== null && row.user_id !== userId))
    throw createPasskeyRefusedFailure()
  // In a login without an email, only the user handle identifies the account. The user handle must
  // therefore belong to the owner of the passkey.
  const { userHandle } = credential.response
  if (userId === null && userHandle === undefined) throw createPasskeyRefusedFailure()
  if (userHandle !== undefined && userHandle !== row.handle.toString('base64url'))
    throw createPasskeyRefusedFailure()
  const site = getRelyingParty(deps.publicUrl)
  const verified = await verifyAssertion(site, { credential, challenge, row })
  if (!(await recordPasskeyUse(deps.db, { row, ...verified, nowMs })))
    throw createPasskeyRefusedFailure()
  return { userId: row.user_id, passkeyId: row.id }
}
