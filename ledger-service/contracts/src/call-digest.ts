/**
 * The text that client and server hash to detect bytes changed in transit. The TCP checksum misses
 * about one in several thousand damaged packets, and an amount with a changed digit is still valid
 * JSON. The client sends the digest after the service token in the `authorization` header; the
 * server rejects a damaged header.
 */
export function digestCall(call: { method: string; path: string; body: string }): string {
  return `${call.method} ${call.path}\n${call.body}`
}

/** Includes the digest of the call, so that the client rejects the answer to a different call. */
export function digestAnswer(answer: { callDigest: string; status: number; body: string }): string {
  return `${answer.callDigest} ${answer.status}\n${answer.body}`
}

export const ANSWER_DIGEST_HEADER = 'x-answer-digest'
