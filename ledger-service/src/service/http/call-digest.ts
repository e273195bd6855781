import type { IncomingMessage } from 'node:http'
import { ANSWER_DIGEST_HEADER, formatAnswerToHash, formatCallToHash } from '@cairn/ledger-contracts'
import { hashToBase64url } from '@cairn/service-kit/hash-text'

/** Thrown if the request was not processed. The caller may retry the request immediately. */
export class NotNow extends Error {
  override readonly name = 'NotNow'
}

const BEARER = /^Bearer ([\w-]+)(?:\.([\w-]*))?$/

/**
 * Returns the token and the digest in the header; the digest is '' if the header contains no
 * digest. Returns null if the header is missing or invalid.
 */
export function readCredential({
  headers,
}: IncomingMessage): { token: string; digest: string } | null {
  const match = BEARER.exec(headers.authorization ?? '')
  const [, token, digest = ''] = match ?? []
  return token === undefined ? null : { token, digest }
}

export function requireIntact(
  call: { method: string; path: string; body: string },
  digest: string | null,
): void {
  if (digest === null || digest === '' || digest === hashToBase64url(formatCallToHash(call))) return
  throw new NotNow('The request was damaged in transit; nothing was done')
}

/**
 * Returns the header with the digest of the answer. Returns no header if the caller sent no digest.
 */
export function buildDigestHeader(answer: {
  callDigest: string | null
  status: number
  body: string
}): Record<string, string> {
  const { callDigest } = answer
  if (callDigest === null || callDigest === '') return {}
  return { [ANSWER_DIGEST_HEADER]: hashToBase64url(formatAnswerToHash({ ...answer, callDigest })) }
}
