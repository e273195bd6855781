/**
 * Returns the text of a call that the client and the server hash. The hash detects bytes that
 * changed in transit, because TCP does not detect all such changes. The client sends the hash after
 * the service token in the `authorization` header.
 */
export function formatCallToHash(call: { method: string; path: string; body: string }): string {
  return `${call.method} ${call.path}\n${call.body}`
}

/**
 * Returns the text of an answer that the client and the server hash. The text includes the digest
 * of the call, so that the client rejects the answer to a different call.
 */
export function formatAnswerToHash(answer: {
  callDigest: string
  status: number
  body: string
}): string {
  return `${answer.callDigest} ${answer.status}\n${answer.body}`
}

export const ANSWER_DIGEST_HEADER = 'x-answer-digest'
