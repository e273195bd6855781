/**
 * Returns the text that client and server hash to detect bytes that changed in transit, which TCP
 * does not always detect. The client sends the hash after the service token in the `authorization`
 * header.
 */
export function formatCallToHash(call: { method: string; path: string; body: string }): string {
  return `${call.method} ${call.path}\n${call.body}`
}

/**
 * Returns the text that client and server hash for an answer. It includes the digest of the call,
 * so that the client rejects the answer to a different call.
 */
export function formatAnswerToHash(answer: {
  callDigest: string
  status: number
  body: string
}): string {
  return `${answer.callDigest} ${answer.status}\n${answer.body}`
}

export const ANSWER_DIGEST_HEADER = 'x-answer-digest'
