import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ANSWER_DIGEST_HEADER, digestAnswer, digestCall } from '@cairn/ledger-contracts'
import { hashText } from '@cairn/service-kit/hash-text'

/** The request had no effect, and the caller may retry it immediately. */
export class NotNow extends Error {
  override readonly name = 'NotNow'
}

/** Returns the digest after the token, or '' if there is none; null if the token is wrong. */
export function callDigestOf({ headers }: IncomingMessage, wanted: Buffer): string | null {
  const given = Buffer.from(headers.authorization ?? '')
  const token = given.subarray(0, wanted.length)
  if (token.length !== wanted.length || !timingSafeEqual(token, wanted)) return null
  const rest = given.subarray(wanted.length).toString()
  return rest === '' || rest.startsWith('.') ? rest.slice(1) : null
}

export function requireIntact(
  call: { method: string; path: string; body: string },
  digest: string | null,
): void {
  if (digest === null || digest === '' || digest === hashText(digestCall(call))) return
  throw new NotNow('The request was damaged in transit; nothing was done')
}

/** Returns the digest header of the answer if the caller sent a digest. */
export function buildDigestHeader(answer: {
  callDigest: string | null
  status: number
  body: string
}): Record<string, string> {
  const { callDigest } = answer
  if (callDigest === null || callDigest === '') return {}
  return { [ANSWER_DIGEST_HEADER]: hashText(digestAnswer({ ...answer, callDigest })) }
}
