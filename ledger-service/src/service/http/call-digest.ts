import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ANSWER_DIGEST_HEADER, digestedAnswer, digestedCall } from '@cairn/ledger-contracts'

/** Nothing was done, through no fault of the caller, who may ask again at once. */
export class NotNow extends Error {
  override readonly name = 'NotNow'
}

/** What stands behind the token: the digest of the call, or nothing. Null: the token is not right. */
export function callDigestOf({ headers }: IncomingMessage, wanted: Buffer): string | null {
  const given = Buffer.from(headers.authorization ?? '')
  const token = given.subarray(0, wanted.length)
  if (token.length !== wanted.length || !timingSafeEqual(token, wanted)) return null
  const rest = given.subarray(wanted.length).toString()
  return rest === '' || rest.startsWith('.') ? rest.slice(1) : null
}

export function requireWhole(
  call: { method: string; path: string; body: string },
  digest: string | null,
): void {
  if (digest === null || digest === '' || digest === sha256(digestedCall(call))) return
  throw new NotNow('The call was damaged on its way; nothing was done')
}

/** For a caller who sent a digest, and so looks for one. */
export function answerDigest(answer: {
  callDigest: string | null
  status: number
  body: string
}): Record<string, string> {
  const { callDigest } = answer
  if (callDigest === null || callDigest === '') return {}
  return { [ANSWER_DIGEST_HEADER]: sha256(digestedAnswer({ ...answer, callDigest })) }
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}
